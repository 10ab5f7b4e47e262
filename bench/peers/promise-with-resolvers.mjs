/** What PostGraphile 5, which is for Node 22, takes for granted and Node 20 has not; nothing else of it is missing. */

Promise.withResolvers ??= () => {
  /** @type {any} */
  const made = {};
  made.promise = new Promise((resolve, reject) => {
    made.resolve = resolve;
    made.reject = reject;
  });
  return made;
};
