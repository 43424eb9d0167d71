import { expect, test } from "vitest";
import { stem } from "./stem.ts";

/** The examples of the paper, each followed through all steps. */
const CASES = `caresses caress, ponies poni, ties ti, caress caress, cats cat, feed feed, agreed agre, plastered plaster,
bled bled, motoring motor, sing sing, conflated conflat, troubled troubl, sized size, hopping hop, tanned tan,
falling fall, hissing hiss, fizzed fizz, failing fail, filing file, happy happi, sky sky, relational relat,
conditional condit, rational ration, valenci valenc, hesitanci hesit, digitizer digit, conformabli conform,
radicalli radic, differentli differ, vileli vile, analogousli analog, vietnamization vietnam, predication predic,
operator oper, feudalism feudal, decisiveness decis, hopefulness hope, callousness callous, formaliti formal,
sensitiviti sensit, sensibiliti sensibl, triplicate triplic, formative form, formalize formal, electriciti electr,
electrical electr, hopeful hope, goodness good, revival reviv, allowance allow, inference infer, airliner airlin,
gyroscopic gyroscop, adjustable adjust, defensible defens, irritant irrit, replacement replac, adjustment adjust,
dependent depend, adoption adopt, homologou homolog, communism commun, activate activ, angulariti angular,
homologous homolog, effective effect, bowdlerize bowdler, probate probat, rate rate, cease ceas, controll control,
roll roll, generalizations gener, oscillators oscil, backing back, backups backup, rolled roll, rollback rollback,
upgrading upgrad, upgraded upgrad, targeting target, possibly possibl, apology apolog, yes ye, dying dy, by by, is is,
as as, a a, mary_k mary_k, snake_cases snake_cas, 2_5_1 2_5_1, ελληνικα ελληνικα, toys toi, element element, cement cement`;

test.each(CASES.split(/,\s+/).map((pair) => pair.split(" ")))("%s becomes %s", (word, expected) => {
  expect(stem(word ?? "")).toBe(expected);
});
