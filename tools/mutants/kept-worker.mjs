// @ts-check

// Tools are there before the packages are: this one is loaded by Stryker, long after.
const { ThreadsPoolWorker } = await import("vitest/node");

/**
 * The thread that the last run left behind.
 * @type {InstanceType<typeof ThreadsPoolWorker> | undefined}
 */
let spare;

/** Which modules the next run loads again; see loadAnew. */
let invalidated = /** @type {readonly string[]} */ ([]);

/**
 * Has the next run of tests load these modules again, although its thread has them already.
 * @param {readonly string[]} files absolute paths
 */
export const loadAnew = (files) => {
  invalidated = files;
};

/** Gives up the thread: after tests that did not end as they should, nobody knows what is still running in it. */
export const giveUpThread = async () => {
  const thread = spare;
  spare = undefined;
  await thread?.stop();
};

/**
 * A thread of Vitest that serves one run of tests after the other. Vitest's own ends with its run, and the next one loads
 * the document, React and the whole console again, which takes longer than most tests.
 */
class KeptWorker {
  name = "kept";
  isNew = spare === undefined;
  isAtEase = false;
  /** @type {[string, (data: any) => void][]} */
  listeners = [];
  /** @type {{testNamePattern?: RegExp}} */
  config = {};

  /** @param {ConstructorParameters<typeof ThreadsPoolWorker>[0]} options */
  constructor(options) {
    this.thread = spare ?? new ThreadsPoolWorker(options);
    spare = undefined;
  }

  async start() {
    if (this.isNew) await this.thread.start();
  }

  async stop() {
    for (const [event, listener] of this.listeners) this.thread.off(event, listener);
    if (this.isAtEase && spare === undefined) spare = this.thread;
    else await this.thread.stop();
  }

  /**
   * @param {string} event
   * @param {(data: any) => void} listener
   */
  on(event, listener) {
    this.listeners.push([event, listener]);
    this.thread.on(event, listener);
  }

  /**
   * @param {string} event
   * @param {(data: any) => void} listener
   */
  off(event, listener) {
    this.listeners = this.listeners.filter((each) => each[0] !== event || each[1] !== listener);
    this.thread.off(event, listener);
  }

  /** @param {any} message */
  send(message) {
    if (message.type === "start") {
      this.config = message.context.config;
      if (!this.isNew) return this.answer("started");
    }
    if (message.type === "stop") {
      this.isAtEase = true;
      return this.answer("stopped");
    }
    if (message.type !== "run") return this.thread.send(message);
    // A thread that was started before has the settings of that run, among them which tests are meant. They are said for
    // each file: what a file of tests sets for itself (vi.setConfig) is put back to what it was in the thread's first run.
    const { testNamePattern } = this.config;
    const files = message.context.files.map((/** @type {object} */ file) => ({ ...file, testNamePattern }));
    const context = { ...message.context, files, config: this.config, invalidates: invalidated };
    invalidated = [];
    return this.thread.send({ ...message, context });
  }

  /**
   * Says what the thread would say.
   * @param {string} type
   */
  answer(type) {
    queueMicrotask(() => {
      for (const [event, listener] of this.listeners) {
        if (event === "message") listener({ type, __vitest_worker_response__: true });
      }
    });
  }

  /** @param {unknown} data */
  deserialize(data) {
    return data;
  }
}

/** Runs tests in one thread that is kept. */
export const keptPool = {
  name: "kept",
  /** @param {ConstructorParameters<typeof ThreadsPoolWorker>[0]} options */
  createPoolWorker: (options) => new KeptWorker(options),
};
