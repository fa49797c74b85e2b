import { gzipSync } from "node:zlib";
import type { UpstreamError } from "@tollgate/contract/relay/error";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { describe, expect, it } from "vitest";
import { entryOf } from "../testing/entry-of";
import type { AnswerStream, StreamWork } from "./answer-stream";
import { Attempt } from "./attempt";
import type { AttemptOwner } from "./attempt-owner";
import { textContent } from "./delivered-tally";

/** Passes chunks on; one that begins with "large" takes three steps. */
class SteppingStream implements AnswerStream {
  hasDelivered = true;
  isEnded = false;
  error: UpstreamError | undefined;
  readonly isGivenUp = false;
  readonly usage = { ...NO_USAGE, outputTokens: 1 };
  work: StreamWork | undefined;
  /** Pushed while there was work left. */
  wasDisturbed = false;

  push(chunk: Buffer): string | undefined {
    this.wasDisturbed ||= this.work !== undefined;
    const text = chunk.toString();
    if (!text.startsWith("large")) return `${text};`;
    this.work = this.steps(text);
    return undefined;
  }
  get isWhole(): boolean {
    return this.isEnded;
  }
  end(): string | undefined {
    this.wasDisturbed ||= this.work !== undefined;
    this.work = this.steps("end");
    return undefined;
  }
  private *steps(text: string): StreamWork {
    yield Buffer.from(`${text} 1;`);
    if (text === "large throws") throw new Error("broken");
    yield;
    if (text === "large fails") this.error = { kind: "unknown", status: 200, message: "no", code: "" };
    if (text === "large ends") this.isEnded = true;
    yield Buffer.from(`${text} 2;`);
    this.work = undefined;
  }
  release(): undefined {
    return undefined;
  }
  tail(): string {
    return "";
  }
  delivered() {
    return textContent("");
  }
}

class Owner implements AttemptOwner {
  out = "";
  takesMore = true;
  readonly told: string[] = [];
  readonly stream = new SteppingStream();
  onBytesGiven: () => void = () => {};

  onHead(): void {}
  createStream(): AnswerStream {
    return this.stream;
  }
  onBytes(bytes: Uint8Array | string): boolean {
    this.out += Buffer.from(bytes as Uint8Array).toString();
    this.onBytesGiven();
    return this.takesMore;
  }
  onStreamEnd(): void {
    this.told.push("end");
  }
  onWholeAnswer(): void {}
  onError({ kind }: UpstreamError): void {
    this.told.push(`error ${kind}`);
  }
  onGivenUp(): void {}
  onCrash(error: unknown): void {
    this.told.push(`crash ${(error as Error).message}`);
  }
}

const begin = (headers: Record<string, string> = {}) => {
  const owner = new Owner();
  const attempt = new Attempt(entryOf(), owner);
  const state = { resumed: 0, isAborted: false };
  attempt.onStart(() => {
    state.isAborted = true;
  });
  attempt.onHeaders(200, { "content-type": "text/event-stream", ...headers }, () => {
    state.resumed += 1;
  });
  return { owner, attempt, state };
};
const push = (attempt: Attempt, text: string): boolean => attempt.onData(Buffer.from(text));
/** Until all steps have been done. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};

describe("a read that is worked on in steps", () => {
  it("holds the upstream up until it is done, and lets others come between its steps", async () => {
    const { owner, attempt, state } = begin();
    expect(push(attempt, "small")).toBe(true);
    expect(push(attempt, "large")).toBe(false);
    expect(owner.out).toBe("small;large 1;");
    expect(state.resumed).toBe(0);
    await settled();
    expect(owner.out).toBe("small;large 1;large 2;");
    expect(state.resumed).toBe(1);
    expect(push(attempt, "small")).toBe(true);
  });

  it("comes before whatever came while it was worked on", async () => {
    const { owner, attempt, state } = begin();
    push(attempt, "large a");
    for (const text of ["b", "large c", "d"]) expect(push(attempt, text)).toBe(false);
    attempt.onEnd();
    expect(owner.told).toEqual([]);
    await settled();
    expect(owner.out).toBe("large a 1;large a 2;b;large c 1;large c 2;d;end 1;end 2;");
    expect(owner.told).toEqual(["end"]);
    expect(owner.stream.wasDisturbed).toBe(false);
    expect(state.resumed).toBe(0);
  });

  it("comes before the failure of its connection", async () => {
    const { owner, attempt } = begin();
    push(attempt, "large");
    attempt.onFailure({ kind: "reset", detail: "" });
    expect(owner.told).toEqual([]);
    await settled();
    expect(owner.out).toBe("large 1;large 2;");
    expect(owner.told).toEqual(["error network"]);
  });

  it("comes before the failure of its connection, which has no effect behind all of the answer", async () => {
    const { owner, attempt } = begin();
    push(attempt, "large ends");
    attempt.onFailure({ kind: "reset", detail: "" });
    await settled();
    expect(owner.out).toBe("large ends 1;large ends 2;end 1;end 2;");
    expect(owner.told).toEqual(["end"]);
    expect(owner.stream.wasDisturbed).toBe(false);
  });

  it("is not disturbed by a bound on its time", async () => {
    const { owner, attempt } = begin();
    push(attempt, "large ends");
    attempt.onLate(
      { kind: "network", status: 0, message: "", code: "timeout" },
      { code: "only-keep-alives" },
    );
    await settled();
    expect(owner.told).toEqual(["error network"]);
    expect(owner.stream.wasDisturbed).toBe(false);
  });

  it("is given up with its attempt, and nothing is told any more", async () => {
    const { owner, attempt, state } = begin();
    push(attempt, "large");
    push(attempt, "small");
    attempt.onEnd();
    attempt.abort();
    await settled();
    expect(owner.out).toBe("large 1;");
    expect(owner.told).toEqual([]);
    expect(state).toEqual({ resumed: 0, isAborted: true });
  });

  it("may be aborted by the owner that receives its bytes", async () => {
    const { owner, attempt } = begin();
    owner.onBytesGiven = () => attempt.abort();
    push(attempt, "large");
    await settled();
    expect(owner.out).toBe("large 1;");
    expect(owner.told).toEqual([]);
  });

  it("that the client reads too slowly lets the upstream go on when both are done", async () => {
    const { owner, attempt, state } = begin();
    owner.takesMore = false;
    push(attempt, "large");
    await settled();
    expect(state.resumed).toBe(0);
    attempt.resume();
    expect(state.resumed).toBe(1);
    push(attempt, "large");
    // The client has read before the steps are done.
    owner.takesMore = true;
    attempt.resume();
    expect(state.resumed).toBe(1);
    await settled();
    expect(state.resumed).toBe(2);
  });

  it.each([
    ["large fails", "error unknown"],
    ["large throws", "crash broken"],
  ])("%s: its end is told once, and nothing that came behind it is looked at", async (text, told) => {
    const { owner, attempt, state } = begin();
    push(attempt, text);
    push(attempt, "small");
    attempt.onEnd();
    await settled();
    expect(owner.told).toEqual([told]);
    expect(owner.out).not.toContain("small");
    expect(state).toEqual({ resumed: 0, isAborted: true });
  });

  it("that ends the answer is followed by the end of the connection", async () => {
    const { owner, attempt } = begin();
    push(attempt, "large ends");
    attempt.onEnd();
    await settled();
    expect(owner.told).toEqual(["end"]);
  });

  it("pauses after a fixed number of bytes of a stream, whatever they are: the sender waits for a turn", async () => {
    const { attempt, owner, state } = begin();
    const chunk = Buffer.alloc(32 * 1024, "x");
    let taken = 0;
    while (attempt.onData(chunk)) taken += chunk.length;
    expect(taken).toBeLessThan(300_000);
    push(attempt, "behind");
    expect(owner.out).not.toContain("behind");
    await settled();
    expect(owner.out.endsWith(";behind;")).toBe(true);
    expect(state.resumed).toBe(1);
    while (attempt.onData(chunk)) taken += chunk.length;
    attempt.abort();
    await settled();
    expect(state.resumed).toBe(1);
  });

  /** A read of which every piece can be told from the others. */
  const LONG = Buffer.from(Array.from({ length: 12_500 }, (_, i) => `${i}`.padStart(8, "0")).join(""));
  const withoutMarks = (out: string): string => out.replaceAll(";", "");

  it("comes within a long read as well, of which no turn takes more than 16 KB", async () => {
    const { attempt, owner, state } = begin();
    let inTurn = 0;
    let most = 0;
    let isOver = false;
    const countTurns = (): void => {
      most = Math.max(most, owner.out.length - inTurn);
      inTurn = owner.out.length;
      if (!isOver) setImmediate(countTurns);
    };
    countTurns();
    expect(attempt.onData(LONG)).toBe(false);
    expect(attempt.onData(Buffer.from("behind"))).toBe(false);
    await settled();
    isOver = true;
    expect(withoutMarks(owner.out)).toBe(`${LONG}behind`);
    expect(most).toBeLessThanOrEqual(16 * 1024 + 1);
    expect(state.resumed).toBe(1);
  });

  it("takes the rest of a long read from an upstream that is not read on, also while the client cannot take more", async () => {
    const { attempt, owner, state } = begin();
    owner.takesMore = false;
    expect(attempt.onData(LONG)).toBe(false);
    await settled();
    expect(withoutMarks(owner.out)).toBe(LONG.toString());
    expect(state.resumed).toBe(0);
    owner.takesMore = true;
    attempt.resume();
    expect(state.resumed).toBe(1);
  });

  it("gives nothing more of a long read to a client that has left", async () => {
    const { attempt, owner } = begin();
    attempt.onData(LONG);
    attempt.abort();
    const { out } = owner;
    await settled();
    expect(owner.out).toBe(out);
  });

  it("holds up packed reads, too", async () => {
    const { owner, attempt } = begin({ "content-encoding": "gzip" });
    attempt.onData(gzipSync("large"));
    attempt.onEnd();
    await expect.poll(() => owner.told).toEqual(["end"]);
    expect(owner.out).toBe("large 1;large 2;end 1;end 2;");
    expect(owner.stream.wasDisturbed).toBe(false);
  });
});
