import { connect, type Socket } from "node:net";

/** Whether the bytes so far hold a whole answer: by length, or by the last chunk. */
const isComplete = (answer: string): boolean => {
  const headEnd = answer.indexOf("\r\n\r\n");
  if (headEnd === -1) return false;
  const length = /content-length: (\d+)/i.exec(answer.slice(0, headEnd))?.[1];
  return length === undefined
    ? answer.endsWith("\r\n0\r\n\r\n")
    : answer.length >= headEnd + 4 + Number(length);
};

interface Listener {
  onOpen(connection: LoadConnection): void;
  /** @param latencyMs from when the request was due */
  onAnswer(connection: LoadConnection, latencyMs: number, answer: string): void;
  /** @param problem why, unless it was closed on purpose */
  onClose(connection: LoadConnection, problem: string | undefined): void;
}

/** One kept-alive connection with one request at a time. */
export class LoadConnection {
  sent = 0;
  private readonly socket: Socket;
  private answer = "";
  private dueAt = 0;
  private isWaiting = true;
  private problem = "closed without an answer";

  constructor(
    port: number,
    private readonly request: Buffer,
    listener: Listener,
  ) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.setNoDelay(true);
    this.socket.on("connect", () => {
      this.isWaiting = false;
      listener.onOpen(this);
    });
    this.socket.on("data", (data) => {
      this.answer += data.toString("latin1");
      if (!isComplete(this.answer)) return;
      this.isWaiting = false;
      listener.onAnswer(this, performance.now() - this.dueAt, this.answer);
    });
    this.socket.on("error", (error) => {
      this.problem = error.message;
    });
    this.socket.on("close", () => listener.onClose(this, this.isWaiting ? this.problem : undefined));
  }

  /** @param dueAt when it should have been sent, on the clock of `performance` */
  send(dueAt = performance.now()): void {
    this.answer = "";
    this.dueAt = dueAt;
    this.isWaiting = true;
    this.sent += 1;
    this.socket.write(this.request);
  }

  /** Closes it, between requests. */
  close(): void {
    this.socket.end();
  }
}
