import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A mail as it arrived. */
export interface Mail {
  from: string;
  to: string[];
  /** Who signed in to send it. */
  account: string;
  subject: string;
  /** The decoded text, HTML tags included. */
  html: string;
}

export interface Mailbox {
  port: number;
  mails: Mail[];
  /** Every password that it was told. */
  passwords: string[];
  /** Refuses every mail while it is true. */
  isFull: boolean;
  /** The oldest mail, once it has come: some are sent after the answer. */
  first(): Promise<Mail>;
  close(): Promise<void>;
}

const WAIT_MS = 5_000;

const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, coded: string) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(coded, "base64").toString()
        : decodeQuoted(coded.replaceAll("_", " ")),
    );

const decodeQuoted = (text: string): string => {
  const bytes = text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
};

const decodeBody = (headers: string, body: string): string =>
  /content-transfer-encoding: base64/i.test(headers)
    ? Buffer.from(body, "base64").toString()
    : /content-transfer-encoding: quoted-printable/i.test(headers)
      ? decodeQuoted(body)
      : body;

/**
 * Starts a mail server on a free loopback port that keeps what it receives.
 * @param offersTls with a self-signed certificate.
 */
export const startMailbox = async (offersTls = false): Promise<Mailbox> => {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: offersTls ? [] : ["STARTTLS"],
    onAuth(auth, _session, done) {
      mailbox.passwords.push(auth.password ?? "");
      if (auth.password === "mail-secret") done(null, { user: auth.username ?? "" });
      else done(new Error(`Invalid login for ${auth.username} at the mail server`));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (mailbox.isFull) {
          done(new Error("Mailbox full"));
          return;
        }
        const raw = Buffer.concat(chunks).toString();
        const [headers = "", ...rest] = raw.split(/\r\n\r\n/);
        const unfolded = headers.replace(/\r\n[ \t]+/g, " ");
        const header = (name: string): string =>
          decodeWords(new RegExp(`^${name}: (.*)$`, "im").exec(unfolded)?.[1] ?? "");
        mails.push({
          from: header("From"),
          to: session.envelope.rcptTo.map(({ address }) => address),
          account: String(session.user ?? ""),
          subject: header("Subject"),
          html: decodeBody(unfolded, rest.join("\r\n\r\n")),
        });
        done();
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const mailbox: Mailbox = {
    port: (server.server.address() as AddressInfo).port,
    mails,
    passwords: [],
    isFull: false,
    async first() {
      for (const startedAt = Date.now(); Date.now() - startedAt < WAIT_MS; ) {
        if (mails[0]) return mails[0];
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error("no mail came");
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailbox;
};
