import { signal } from "@preact/signals";

/** A text, or its plural forms; `{name}` is a placeholder. */
export type Message = string | { readonly one: string; readonly other: string };
export type Messages = Readonly<Record<string, Message>>;
/** The same texts in another language, with exactly the same keys. */
export type Translated<Texts extends Messages> = { readonly [Key in keyof Texts]: Message };

export type Values = Readonly<Record<string, string | number>>;
export type Translate<Texts extends Messages> = (key: keyof Texts & string, values?: Values) => string;

export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

/** Texts of the chosen language by the name of their catalogue; empty for English, which is part of the pages. */
const translations = signal<Readonly<Record<string, Messages>>>({});
export const language = signal<Language>("en");

const plurals = new Map<string, Intl.PluralRules>();
const numbers = new Map<string, Intl.NumberFormat>();

function kept<Made>(known: Map<string, Made>, make: (locale: string) => Made): Made {
  const locale = language.value;
  let made = known.get(locale);
  if (!made) {
    made = make(locale);
    known.set(locale, made);
  }
  return made;
}

const written = (value: string | number): string =>
  typeof value === "number" ? kept(numbers, (locale) => new Intl.NumberFormat(locale)).format(value) : value;

/** Fills the placeholders of a message; `n` chooses its plural form. */
function fill(message: Message, values: Values = {}): string {
  const form = typeof message === "string" ? message : message[pluralOf(values["n"])];
  return form.replace(/\{(\w+)\}/g, (place, name: string) => written(values[name] ?? place));
}

function pluralOf(count: string | number | undefined): "one" | "other" {
  const rules = kept(plurals, (locale) => new Intl.PluralRules(locale));
  return rules.select(Number(count ?? 0)) === "one" ? "one" : "other";
}

/** Declares the English texts of a part or a page. Returns a function that reads them in the chosen language. */
export const catalogue =
  <const Texts extends Messages>(name: string, english: Texts): Translate<Texts> =>
  (key, values) =>
    fill(translations.value[name]?.[key] ?? (english[key] as Message), values);

/** Changes the language of all pages; resolves once its texts are loaded. */
export async function speak(chosen: Language): Promise<void> {
  const { german } = chosen === "de" ? await import("./de.ts") : { german: {} };
  translations.value = german;
  language.value = chosen;
  document.documentElement.lang = chosen;
}
