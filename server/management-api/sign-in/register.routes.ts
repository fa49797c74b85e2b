import { randomBytes } from "node:crypto";
import { randomAlphanumeric } from "@tollgate/accounts/random-text";
import {
  bindEmail,
  register,
  requestReset,
  resetPassword,
  sendEmailCode,
} from "@tollgate/contract/api/sign-in";
import type { Language } from "../../locales/languages";
import { sayMail } from "../../locales/say-mail";
import { Failure } from "../failure";
import { implement, type Route, type RouteContext } from "../route";
import type { Services } from "../services";
import { endAccess } from "../session";
import { createUser } from "../users/create-user";
import { checkEmail, checkPassword, checkUsername, withConflicts } from "./account-rules";
import { checkFreshSignIn } from "./fresh-sign-in";
import { createHumanCheck } from "./human-check";
import { hashPassword } from "./passwords";

const _HUMAN = { turnstile: "What Turnstile gave the page, where the site asks for it." };

/** How long a code or a reset link holds (contract section 3.1). */
const VALID_MINUTES = 10;

/** Registration, e-mail codes, forgotten passwords (contract section 1.2). */
export const registerRoutes = (services: Services): Route[] => {
  const { accounts, storage, options, mailer, notices, rootSetup, logger, now } = services;
  const humanCheck = createHumanCheck(services);

  const checkHuman = ({
    query,
    request,
    reply,
  }: Pick<RouteContext<"none", unknown>, "query" | "request" | "reply">) =>
    humanCheck.pass(query.turnstile ?? "", request, reply);

  /** Where a mail is asked for. @throws Failure for who is no human, or for no address. */
  const readAddress = async (context: RouteContext<"none", unknown>): Promise<string> => {
    await checkHuman(context);
    const email = (context.query.email ?? "").trim();
    checkEmail(email);
    return email;
  };

  const checkDomain = (email: string): void => {
    if (!options.isOn("EmailDomainRestrictionEnabled")) return;
    const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
    const allowed = options
      .text("EmailDomainWhitelist")
      .split(",")
      .map((each) => each.trim().toLowerCase());
    if (!allowed.includes(domain)) throw new Failure("email-domain-refused");
  };

  /** Does nothing for an address that no account has. */
  const sendResetLink = async (email: string, language: Language): Promise<void> => {
    if (!(await storage.read.users.findBy("email", email))) return;
    const token = randomBytes(16).toString("hex");
    const systemName = options.text("SystemName");
    const link = `${options.serverAddress()}/user/reset?email=${encodeURIComponent(email)}&token=${token}`;
    const values = { systemName, link, minutes: String(VALID_MINUTES) };
    await mailer.send({ to: email, ...sayMail(language, "password-reset", values) });
    await storage.write.verifications.put("password-reset", email, token, now() + VALID_MINUTES * 60);
  };

  return [
    implement(register, async (context) => {
      const { body } = context;
      await checkHuman(context);
      if (!options.isOn("RegisterEnabled")) throw new Failure("register-off");
      if (!options.isOn("PasswordRegisterEnabled")) throw new Failure("password-register-off");
      checkUsername(body.username);
      checkPassword(body.password);
      const email = (body.email ?? "").trim();
      const isVerified = options.isOn("EmailVerificationEnabled");
      if (isVerified) {
        const code = body.verificationCode ?? "";
        if (email === "" || code === "") throw new Failure("email-code-needed");
        if (accounts.users.findByName(body.username)) throw new Failure("username-taken");
        const isRight = await storage.write.verifications.use("email", email, code.trim(), now());
        if (!isRight) throw new Failure("code-invalid");
      }
      await createUser(services, {
        username: body.username,
        password: body.password,
        displayName: body.username,
        affCode: body.affCode ?? "",
        ...(isVerified ? { email } : {}),
      });
      return undefined;
    }),
    implement(sendEmailCode, async (context) => {
      const email = await readAddress(context);
      checkDomain(email);
      const systemName = options.text("SystemName");
      if (await storage.read.users.findBy("email", email)) {
        // Answered like any other address: who has an account here is told to its owner only.
        await mailer.send({ to: email, ...sayMail(context.language, "email-taken", { systemName }) });
        return undefined;
      }
      const code = randomBytes(3).toString("hex");
      const values = { systemName, code, minutes: String(VALID_MINUTES) };
      await mailer.send({ to: email, ...sayMail(context.language, "email-code", values) });
      // After the mail: a code that never arrived must not be guessable.
      await storage.write.verifications.put("email", email, code, now() + VALID_MINUTES * 60);
      return undefined;
    }),
    implement(requestReset, async (context) => {
      const email = await readAddress(context);
      if (!mailer.isConfigured()) throw new Failure("mail-not-configured");
      // Not waited for: who has an account here shows neither in the answer nor in its time.
      sendResetLink(email, context.language).catch((error: unknown) =>
        logger.warn({ error: String(error) }, "a reset link could not be mailed"),
      );
      return undefined;
    }),
    implement(resetPassword, async ({ body }) => {
      const email = body.email.trim();
      checkEmail(email);
      const isRight = await storage.write.verifications.use("password-reset", email, body.token, now());
      const user = isRight ? await storage.read.users.findBy("email", email) : undefined;
      if (!user) throw new Failure("reset-link-invalid");
      if (user.id === rootSetup.pendingUserId) throw new Failure("setup-pending");
      const password = randomAlphanumeric(12);
      const passwordHash = await hashPassword(password);
      await accounts.users.change(user.id, { passwordHash });
      await endAccess(accounts, user.id, undefined);
      notices.accountChanged(user, "password");
      return password;
    }),
    implement(bindEmail, async ({ caller, query, request }) => {
      checkFreshSignIn(services, caller, request);
      const email = (query.email ?? "").trim();
      const isRight = await storage.write.verifications.use("email", email, (query.code ?? "").trim(), now());
      if (!isRight) throw new Failure("code-invalid");
      const before = await storage.read.users.find(caller.id);
      await withConflicts(accounts.users.change(caller.id, { email }));
      if (before && before.email !== email) notices.accountChanged(before, "email");
      return undefined;
    }),
  ];
};
