import { Button } from "../../parts/basic/button.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { t as common } from "../../texts/words/common.ts";

interface AddProps {
  readonly id?: string;
  readonly isDisabled: boolean;
  readonly onAdd: () => void;
  readonly children: string;
}

/** Adds an entry to a list that has a label of its own. */
export const Add = ({ id, isDisabled, onAdd, children }: AddProps) =>
  isDisabled ? null : (
    <div>
      <button type="button" class="btn row" id={id} onClick={onAdd}>
        <Icon name="plus" />
        {children}
      </button>
    </div>
  );

interface RemoveProps {
  readonly name: string;
  readonly isDisabled: boolean;
  readonly onRemove: () => void;
}

/** Removes an entry from a list. */
export const Remove = ({ name, isDisabled, onRemove }: RemoveProps) =>
  isDisabled ? null : (
    <div>
      <Button kind="row" icon="trash" label={common("removeNamed", { name })} onClick={onRemove}>
        {common("remove")}
      </Button>
    </div>
  );
