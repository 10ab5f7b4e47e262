/**
 * Questions that many ask at once. Whoever asks gets the answer of a statement that begins after that, never of one
 * that is under way; all who ask until it begins have it in common, so that the more ask, the less each costs.
 */

/** How long a round waits for the one before: one that hangs must not hold up the next. */
const PATIENCE_MS = 50;

export class Rounds<Asked, Answer> {
  readonly #run: (asked: ReadonlySet<Asked>) => Promise<Answer>;
  readonly #most: number;
  /** The round that has not begun. */
  #next: Round<Asked, Answer> | null = null;
  /** Resolves when the round that began last has ended; null when it has. */
  #underWay: Promise<void> | null = null;

  /** `run` answers all that is asked in a round, which is of never more than `most` things. */
  constructor(run: (asked: ReadonlySet<Asked>) => Promise<Answer>, most = Number.POSITIVE_INFINITY) {
    this.#run = run;
    this.#most = most;
  }

  /** The answer to a round in which this is asked. */
  ask(asked: Asked): Promise<Answer> {
    if (this.#next === null || this.#next.asked.size >= this.#most) this.#next = this.#prepare();
    this.#next.asked.add(asked);
    return this.#next.answer;
  }

  #prepare(): Round<Asked, Answer> {
    const round: Round<Asked, Answer> = {
      asked: new Set<Asked>(),
      answer: this.#turn().then(() => this.#begin(round)),
    };
    return round;
  }

  /** Those who ask in the same moment come into the same round. */
  #turn(): Promise<void> {
    const underWay = this.#underWay;
    return new Promise((resolve) => {
      if (underWay === null) {
        setImmediate(resolve);
        return;
      }
      const impatience = setTimeout(resolve, PATIENCE_MS);
      void underWay.then(() => {
        clearTimeout(impatience);
        resolve();
      });
    });
  }

  #begin(round: Round<Asked, Answer>): Promise<Answer> {
    if (this.#next === round) this.#next = null;
    const answer = this.#run(round.asked);
    const ended = () => {
      if (this.#underWay === underWay) this.#underWay = null;
    };
    const underWay = answer.then(ended, ended);
    this.#underWay = underWay;
    return answer;
  }
}

interface Round<Asked, Answer> {
  readonly asked: Set<Asked>;
  readonly answer: Promise<Answer>;
}
