import type { Options } from "../state/options";
import { Failure } from "./failure";

const TIMEOUT_MS = 15_000;
/** The port on which a connection begins with TLS instead of asking for it. */
const IMPLICIT_TLS_PORT = 465;

export interface Mail {
  to: string;
  subject: string;
  html: string;
}

export interface Mailer {
  /** Whether the options name a server and a sender. */
  isConfigured(): boolean;
  /** @throws Failure when no server is configured, or it does not take the mail. */
  send(mail: Mail): Promise<void>;
}

/** Sends mail over the SMTP server of the options. */
export const createMailer = (options: Options, reportError: (error: Error) => void): Mailer => ({
  isConfigured: () =>
    options.text("SMTPServer") !== "" && (options.text("SMTPFrom") || options.text("SMTPAccount")) !== "",
  async send({ to, subject, html }) {
    const host = options.text("SMTPServer");
    const account = options.text("SMTPAccount");
    const from = options.text("SMTPFrom") || account;
    if (host === "" || from === "") throw new Failure("mail-not-configured");
    const port = options.number("SMTPPort");
    // Loaded by the first mail: most gateways send none.
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({
      host,
      port,
      secure: port === IMPLICIT_TLS_PORT,
      ...(account === "" ? {} : { auth: { user: account, pass: options.text("SMTPToken") } }),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    });
    try {
      await transport.sendMail({
        from: { name: options.text("SystemName"), address: from },
        to,
        subject,
        html,
      });
    } catch (error) {
      // The server's words may name accounts and addresses: they are for the operator.
      reportError(error instanceof Error ? error : new Error(String(error)));
      throw new Failure("mail-failed");
    } finally {
      transport.close();
    }
  },
});
