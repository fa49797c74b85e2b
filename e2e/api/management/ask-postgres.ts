import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

/** Asks a database, and halts this process until it has answered: what the tests ask of a file they ask of it, too. */
export interface SynchronousDatabase {
  ask<Row>(text: string, values?: readonly unknown[]): Row[];
  close(): void;
}

interface Answer {
  rows?: never[];
  failure?: string;
}

const SCRIPT = `
const { parentPort, workerData } = require("node:worker_threads");
const pg = require("pg");
pg.types.setTypeParser(20, Number);
const { address, port, signal } = workerData;
const client = new pg.Client({ connectionString: address });
const connected = client.connect();
port.on("message", async ({ text, values }) => {
  let answer;
  try {
    await connected;
    answer = { rows: (await client.query(text, values)).rows };
  } catch (error) {
    answer = { failure: error.message };
  }
  port.postMessage(answer);
  Atomics.add(signal, 0, 1);
  Atomics.notify(signal, 0);
});
`;

/** How long an answer may take. */
const PATIENCE_MS = 10_000;

/** @param address of a database. */
export const openSynchronously = (address: string): SynchronousDatabase => {
  const { port1: here, port2: there } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { address, port: there, signal };
  const worker = new Worker(SCRIPT, { eval: true, workerData, transferList: [there] });
  worker.unref();
  here.unref();
  return {
    ask(text, values = []) {
      const before = Atomics.load(signal, 0);
      here.postMessage({ text, values });
      Atomics.wait(signal, 0, before, PATIENCE_MS);
      const { rows, failure }: Answer = receiveMessageOnPort(here)?.message ?? { failure: "no answer" };
      if (!rows) throw new Error(failure);
      return rows;
    },
    close() {
      here.close();
      void worker.terminate();
    },
  };
};
