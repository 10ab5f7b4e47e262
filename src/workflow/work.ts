/**
 * Work that may be long: a generator that yields where it can be put down, each piece a few milliseconds.
 * It knows nothing of what is done, and there is no clock in it: the pieces are cut by amount, not by time.
 */
/** Each `yield` is a place where the server may do something else. */
export type Work<T> = Generator<void, T, void>;

/** Says when enough was done for one piece of work. */
export class Pace {
  #done = 0;

  /** Counts one value; whether to yield now. */
  isDue(): boolean {
    this.#done++;
    if (this.#done < VALUES_PER_PIECE) return false;
    this.#done = 0;
    return true;
  }
}

/** Does the work in one go. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/**
 * Does the work piece by piece: one piece of one work in a turn of the event loop, however many works there are.
 * What turns out to be long waits until few others are long: each holds what it has built, and memory is bounded.
 */
export function finishInPieces<T>(work: Work<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let pieces = 0;
    const doPiece = () => {
      try {
        const step = work.next();
        if (!step.done) return goOn();
        resolve(step.value);
      } catch (error) {
        reject(error);
      }
      if (pieces >= PIECES_OF_SHORT) leaveLong();
    };
    const goOn = () => {
      pieces += 1;
      if (pieces === PIECES_OF_SHORT) joinLong(doPiece);
      else queue(doPiece);
    };
    queue(doPiece);
  });
}

const VALUES_PER_PIECE = 1_024;
/** A work of more pieces is long: a document of a hundred items is not. */
const PIECES_OF_SHORT = 16;
/** How many long works are under way; a large document takes up to a hundred megabytes while it is read. */
const LONG_AT_ONCE = 4;

/** The next pieces of all works that are under way; those that wait longest come first. */
const queued: (() => void)[] = [];
let isTurnDue = false;
/** The next pieces of long works that are too many. */
const parked: (() => void)[] = [];
let longWorks = 0;

function queue(piece: () => void): void {
  queued.push(piece);
  if (isTurnDue) return;
  isTurnDue = true;
  setImmediate(takeTurn);
}

function takeTurn(): void {
  isTurnDue = queued.length > 1;
  if (isTurnDue) setImmediate(takeTurn);
  queued.shift()?.();
}

function joinLong(piece: () => void): void {
  if (longWorks === LONG_AT_ONCE) {
    parked.push(piece);
    return;
  }
  longWorks += 1;
  queue(piece);
}

/** Lets the one go on that has waited longest. */
function leaveLong(): void {
  const next = parked.shift();
  if (next === undefined) longWorks -= 1;
  else queue(next);
}
