import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoint } from "../../../../test/code-point.ts";
import { rounds } from "../../../../test/rounds.ts";
import { createMasker, MASK, type Masker } from "./mask.ts";
import { textsToMask } from "./mask-forms.ts";

const masker = (...values: string[]): Masker => {
  const made = createMasker(values);
  if (!made) throw new Error("Nothing to mask");
  return made;
};

/** The specification in its simplest form: every character of every occurrence of one of the texts is masked. */
function maskedByLaw(values: readonly string[], text: string): string {
  const isMasked = new Array<boolean>(text.length).fill(false);
  for (const word of textsToMask(values))
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
      isMasked.fill(true, at, at + word.length);
  let out = "";
  for (const [at, unit] of text.split("").entries()) {
    if (!isMasked[at]) out += unit;
    else if (!isMasked[at - 1]) out += MASK;
  }
  return out;
}

function throughStream(made: Masker, pieces: readonly string[]): string {
  const stream = made.stream();
  return pieces.map((piece) => stream.write(piece)).join("") + stream.end();
}

describe("values in a complete text", () => {
  test.each<[string, string[], string, string]>([
    ["one", ["hunter2"], "the password is hunter2.", "the password is ****."],
    ["several", ["hunter2", "s3cret"], "hunter2 and s3cret, hunter2", "**** and ****, ****"],
    ["a value inside of another", ["pass", "password1"], "password1 pass", "**** ****"],
    ["values that overlap", ["abcdef", "defghi"], "xabcdefghix", "x****x"],
    ["values side by side", ["abcd", "wxyz"], "abcdwxyz", "****"],
    ["an exact repetition", ["abab"], "abababx", "****x"],
    ["none", ["hunter2"], "nothing here, hunter 2", "nothing here, hunter 2"],
    ["nothing", ["hunter2"], "", ""],
    ["the text of the mask", ["****"], "a****b", "a****b"],
    ["wide characters", ["pä\u{1F600}ß"], "x pä\u{1F600}ß y", "x **** y"],
  ])("%s", (_name, values, text, expected) => {
    expect(masker(...values).text(text)).toBe(expected);
  });

  test.each([["abc"], [""], ["   "], ["\n\n\n\n"]])("the value %j is not masked", (value) => {
    expect(createMasker([value])).toBeUndefined();
  });

  test("each recognisable line of a value is masked by itself, however it is indented", () => {
    const made = masker("-----BEGIN KEY-----\r\n  MIIEvQIBADANBg\r\nab\r\n-----END KEY-----\r\n");
    expect(made.text("key: MIIEvQIBADANBg\nab\n\t-----END KEY-----")).toBe("key: ****\nab\n\t****");
  });

  test("a long value is masked as a whole, and so is each of its parts", () => {
    const value = Array.from({ length: 500 }, (_, index) => String.fromCharCode(33 + ((index * 7) % 90))).join("");
    const made = masker(value);
    expect(made.text(`<${value}>`)).toBe("<****>");
    expect(made.text(value.slice(0, 250)).length).toBeLessThan(40);
  });
});

describe("values in another spelling", () => {
  const value = 'p@ss"w0rd<é> & \\more';
  const made = masker(value);
  test.each<[string, string, string]>([
    ["JSON", JSON.stringify({ value }), '{"value":"****"}'],
    ["JSON inside of JSON", JSON.stringify({ text: JSON.stringify(value) }), '{"text":"\\"****\\""}'],
    ["JSON in ASCII", '["p@ss\\"w0rd<\\u00e9> & \\\\more"]', '["****"]'],
    ["HTML", "<b>p@ss&quot;w0rd&lt;é&gt; &amp; \\more</b>", "<b>****</b>"],
    ["an address", `https://example.com/?p=${encodeURIComponent(value)}`, "https://example.com/?p=****"],
    ["a form", `p=${encodeURIComponent(value).replaceAll("%20", "+")}&x=1`, "p=****&x=1"],
    ["base64 for addresses", `(${Buffer.from(value).toString("base64url")})`, "(****)"],
  ])("%s", (_name, text, expected) => {
    expect(made.text(text)).toBe(expected);
  });

  test.each([76, 64])("base64 of a long one in lines of %i", (size) => {
    const long = Array.from({ length: 60 }, (_, index) => String.fromCharCode(33 + index)).join("");
    const text = Buffer.from(`${long.repeat(3)}\n`).toString("base64");
    const shown = createMasker([long.repeat(3)])?.text(text.replace(new RegExp(`.{${size}}`, "g"), "$&\n"));
    expect(shown).toMatch(/^(?:\*{4}\n)+\*{4}.{0,4}$/);
  });

  test.each(["", "u", "us", "use", "user:"])("base64 of it behind %j, as in basic authentication", (before) => {
    for (const behind of ["", "\n", "\nmore", " and more"]) {
      const text = Buffer.from(before + value + behind).toString("base64");
      // A character that also holds bits of a neighbour may remain at either end.
      const most = Math.ceil((before.length * 4) / 3) + Math.ceil((behind.length * 4) / 3) + 4;
      expect(made.text(text)).toContain(MASK);
      expect(made.text(text).length - MASK.length).toBeLessThanOrEqual(most);
    }
  });
});

describe("a text in pieces", () => {
  test("a value on the border of two pieces is masked", () => {
    expect(throughStream(masker("hunter2"), ["it is hun", "ter2 now"])).toBe("it is **** now");
  });

  test("text that cannot begin a value is shown at once", () => {
    const stream = masker("hunter2").stream();
    expect(stream.write("hello\n")).toBe("hello\n");
    expect(stream.write("hello hunt")).toBe("hello ");
    expect(stream.rest()).toBe("hunt");
    expect(stream.write("ing")).toBe("hunting");
    expect(stream.rest()).toBe("");
  });

  test("a mask is shown with the piece that completes its value", () => {
    const stream = masker("hunter2", "hunter2000").stream();
    expect(stream.write("hunter")).toBe("");
    expect(stream.write("2")).toBe("");
    expect(stream.write("0 ")).toBe("****0 ");
  });

  test("a new text begins after the end", () => {
    const stream = masker("hunter2").stream();
    expect([stream.write("hunt"), stream.end(), stream.write("er2"), stream.end()]).toEqual(["", "hunt", "er2", ""]);
  });

  test("no values hold back more than 32 characters", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 4, maxLength: 200 }), { minLength: 1 }), fc.nat(), (values, at) => {
        const stream = createMasker(values)?.stream();
        const text = values[at % values.length] ?? "";
        stream?.write(text.slice(0, -1));
        expect(stream?.rest().length ?? 0).toBeLessThanOrEqual(32);
      }),
    );
  });

  const few = fc.stringMatching(/^[ab\n"]*$/);
  const values = fc.array(
    fc.oneof(
      fc.stringMatching(/^[ab\n"]{4,6}$/),
      fc.stringMatching(/^[ab]{30,80}$/),
      fc.string({ minLength: 4, unit: "grapheme" }),
    ),
    { minLength: 1, maxLength: 6 },
  );
  /** Texts that contain values, whole and in part, among other text. */
  const scene = values.chain((all) =>
    fc.record({
      values: fc.constant(all),
      pieces: fc.array(
        fc.oneof(
          few,
          fc.constantFrom(...all),
          fc.tuple(fc.constantFrom(...all), fc.nat(60)).map(([value, end]) => value.slice(0, end)),
          fc.tuple(fc.constantFrom(...all), fc.nat(60)).map(([value, start]) => value.slice(start)),
          fc.string({ maxLength: 3, unit: codePoint }),
        ),
        { maxLength: 12 },
      ),
      cuts: fc.array(fc.nat(400), { maxLength: 20 }),
    }),
  );

  function cut(text: string, cuts: readonly number[]): string[] {
    const places = [0, ...cuts.filter((at) => at < text.length).sort((a, b) => a - b), text.length];
    return places.slice(1).map((end, index) => text.slice(places[index], end));
  }

  test("is masked equally however it is cut, and as the definition requires", () => {
    fc.assert(
      fc.property(scene, ({ values: all, pieces, cuts }) => {
        const made = createMasker(all);
        const text = pieces.join("");
        if (!made) return;
        const whole = made.text(text);
        expect(whole).toBe(maskedByLaw(all, text));
        expect(throughStream(made, cut(text, cuts))).toBe(whole);
        expect(throughStream(made, text.split(""))).toBe(whole);
      }),
      { numRuns: rounds(250, 1000) },
    );
  });

  test("text held back is shown like the end of a whole text", () => {
    fc.assert(
      fc.property(scene, ({ values: all, pieces }) => {
        const made = createMasker(all);
        if (!made) return;
        const stream = made.stream();
        const shown = pieces.map((piece) => stream.write(piece)).join("");
        expect(shown + stream.rest()).toBe(made.text(pieces.join("")));
      }),
    );
  });

  test("no value of four characters and more is left in it", () => {
    fc.assert(
      fc.property(scene, ({ values: all, pieces }) => {
        const shown = throughStream(createMasker(all) ?? masker("none"), pieces);
        for (const value of all) if (value.trim() !== "" && !/^\*+$/.test(value)) expect(shown).not.toContain(value);
      }),
    );
  });
});

test("the time grows with the text alone, not with the number or the length of the values", () => {
  const values = Array.from({ length: 2000 }, (_, index) => `sk_live_${index.toString(36).padStart(40, "x")}`);
  const made = masker(...values, "a".repeat(100_000).concat("b"));
  const hard = "a".repeat(500_000);
  const before = process.threadCpuUsage();
  expect(made.text(hard)).toBe(MASK);
  expect(made.text(`${"sk_live_".repeat(60_000)}end`)).toMatch(/end$/);
  const { user } = process.threadCpuUsage(before);
  // Microseconds. A search for each value would take minutes.
  expect(user).toBeLessThan(5_000_000);
});
