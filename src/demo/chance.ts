/** Choosing by chance; `random` answers numbers from 0 to below 1. */

/** One of the items, of which there must be some. */
export function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("There is nothing to pick from.");
  return item;
}

/** One of the items, each as likely as its weight says; nothing where there are none. */
export function pickByWeight<Item extends { readonly weight: number }>(
  items: readonly Item[],
  random: () => number,
): Item | undefined {
  let left = random() * items.reduce((sum, { weight }) => sum + weight, 0);
  return items.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
}
