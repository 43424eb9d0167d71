import type { ComponentChildren } from "preact";

interface ChoreProps {
  readonly title: string;
  readonly help: string;
  readonly children: ComponentChildren;
}

/** True if the word to confirm with was typed. Phones begin a text with a capital letter and end a word with a space. */
export const isWord = (typed: string, word: string): boolean => typed.trim().toLowerCase() === word;

/** A maintenance action that is run manually, with a description. */
export const Chore = ({ title, help, children }: ChoreProps) => (
  <li class="chore">
    <div>
      <b>{title}</b>
      {/* The result of a test takes the place of the help. */}
      <p class="sm dim" role="status">
        {help}
      </p>
    </div>
    <div class="acts">{children}</div>
  </li>
);
