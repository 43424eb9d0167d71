import type { ComponentChildren } from "preact";

interface ChoreProps {
  readonly title: string;
  readonly help: string;
  readonly children: ComponentChildren;
}

/** A maintenance action that is run manually, with a description. */
export const Chore = ({ title, help, children }: ChoreProps) => (
  <li class="chore">
    <div>
      <b>{title}</b>
      <p class="sm dim">{help}</p>
    </div>
    <div class="acts">{children}</div>
  </li>
);
