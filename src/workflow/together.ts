/** Questions that are asked one by one and answered together. */

/**
 * A function that gathers its questions until the event loop has turned, so that all resolvers of one level have
 * asked, and then hands them on at once; `answer` gives one answer for each, in their order.
 */
export function together<Question, Answer>(
  answer: (questions: readonly Question[]) => readonly Promise<Answer>[],
): (question: Question) => Promise<Answer> {
  let gathered: Asked<Question, Answer>[] = [];

  function answerAll(): void {
    const asked = gathered;
    gathered = [];
    try {
      const answers = answer(asked.map(({ question }) => question));
      for (const [index, { resolve }] of asked.entries()) {
        const given = answers[index];
        resolve(given ?? Promise.reject(new Error("A question was not answered.")));
      }
    } catch (error) {
      // Nobody stands above this: it would end the process.
      for (const { reject } of asked) reject(error);
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      gathered.push({ question, resolve, reject });
      if (gathered.length === 1) setImmediate(answerAll);
    });
}

interface Asked<Question, Answer> {
  readonly question: Question;
  resolve(answer: Promise<Answer>): void;
  reject(error: unknown): void;
}
