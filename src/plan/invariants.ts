/** Which invariants of a plan stand and which they shadow (domain.md §3). Adding one is a command. */
import { INVARIANT_SCOPES, type Invariant } from "./plan.js";
import { foldForComparison } from "./text.js";

/** An invariant that stands, with those of the same text that it shadows, by precedence. */
export interface EffectiveInvariant {
  readonly invariant: Invariant;
  readonly shadows: readonly Invariant[];
}

/**
 * The invariants that stand, by precedence and in their order within a scope. Of several with the same text
 * the highest stands and shadows the others; where some are nonOverridable, each of these stands, and
 * the first of them shadows the overridable ones, so that every invariant appears once.
 */
export function effectiveInvariants(invariants: readonly Invariant[]): readonly EffectiveInvariant[] {
  const byPrecedence = INVARIANT_SCOPES.flatMap((scope) =>
    invariants.filter((invariant) => invariant.scope === scope),
  );
  const sameText = new Map<string, Invariant[]>();
  for (const invariant of byPrecedence) {
    const text = foldForComparison(invariant.text);
    const group = sameText.get(text);
    if (group === undefined) sameText.set(text, [invariant]);
    else group.push(invariant);
  }
  const shadowsOf = new Map([...sameText.values()].flatMap(standing));
  return byPrecedence.flatMap((invariant) => {
    const shadows = shadowsOf.get(invariant);
    return shadows === undefined ? [] : [{ invariant, shadows }];
  });
}

/** Of invariants with one text, by precedence: those that stand, each with what it shadows. */
function standing(group: readonly Invariant[]): [Invariant, Invariant[]][] {
  const firm = group.filter((invariant) => invariant.nonOverridable);
  const stands = firm.length > 0 ? firm : group.slice(0, 1);
  const shadowed = group.filter((invariant) => !stands.includes(invariant));
  return stands.map((invariant, index) => [invariant, index === 0 ? shadowed : []]);
}
