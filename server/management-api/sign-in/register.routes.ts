import { randomBytes } from "node:crypto";
import { randomAlphanumeric } from "@tollgate/accounts/random-text";
import {
  bindEmail,
  register,
  type registerBodySchema,
  requestReset,
  resetPassword,
  sendEmailCode,
} from "@tollgate/contract/api/sign-in";
import { DEFAULT_GROUP } from "@tollgate/contract/management/group";
import { normalCode, promotionFault } from "@tollgate/contract/payments/promotions";
import { foldEmail } from "@tollgate/contract/values/fold-email";
import type * as z from "zod/mini";
import { formatMail } from "../../locales/format-mail";
import type { Language } from "../../locales/languages";
import { Failure } from "../failure";
import { implement, type Route, type RouteContext } from "../route";
import type { Services } from "../services";
import { endAccess } from "../session";
import { sharedBy } from "../shared-by";
import { checkTermsVersion, recordConsent } from "../site/terms";
import { createUser } from "../users/create-user";
import { checkEmail, checkPassword, checkUsername, withConflicts } from "./account-rules";
import { checkFreshSignIn } from "./fresh-sign-in";
import { createHumanCheck } from "./human-check";
import { hashPassword } from "./passwords";

/** Longer than any code. */
const MAX_TYPED_CODE = 100;
/** Validity of a code or a reset link (contract section 3.1). */
const VALID_MINUTES = 10;

const humanCheck = sharedBy((services) => createHumanCheck(services));

const checkHuman = (
  services: Services,
  { query, request, reply }: Pick<RouteContext<"none", unknown>, "query" | "request" | "reply">,
) => humanCheck(services).pass(query.turnstile ?? "", request, reply);

/** Reads the address to send a mail to. @throws Failure for a failed human check, or an invalid address. */
const readAddress = async (services: Services, context: RouteContext<"none", unknown>): Promise<string> => {
  await checkHuman(services, context);
  const email = (context.query.email ?? "").trim();
  checkEmail(email);
  return email;
};

const checkDomain = (services: Services, email: string): void => {
  if (!services.options.isOn("EmailDomainRestrictionEnabled")) return;
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  const allowed = services.options
    .text("EmailDomainWhitelist")
    .split(",")
    .map((each) => each.trim().toLowerCase());
  if (!allowed.includes(domain)) throw new Failure("email-domain-refused");
};

/** Gives a new user the bonus of a promotion code. @returns 0 if it was used up meanwhile. */
const giveRegistrationBonus = (
  { accounts, storage, now }: Services,
  userId: number,
  code: string,
): Promise<number> =>
  accounts.users.grantBy(
    userId,
    "promotion",
    () => storage.write.promotions.useForRegistration(code, userId, now()),
    (given) => given,
  );

/**
 * Reads a promotion code, and refuses one that a registration cannot use before the account is created; "" for none.
 * @throws Failure
 */
const readRegistrationCode = async (services: Services, typed: string | undefined): Promise<string> => {
  const code = normalCode(typed ?? "");
  if (code === "") return "";
  if (!services.options.isOn("RegistrationCodesEnabled")) throw new Failure("promotion-registration-off");
  const found = await services.storage.read.promotions.findCode(code.slice(0, MAX_TYPED_CODE));
  const buyer = { groups: [DEFAULT_GROUP], hasBought: false, uses: 0 };
  if (!found || promotionFault(found, buyer, "registration", 0, services.now()) !== undefined)
    throw new Failure("promotion-not-valid").at("promotion_code");
  return code;
};

/**
 * Mails to the account's own address, however it was typed: only its owner may reset the password. Does nothing for an address
 * that no account has.
 */
const sendResetLink = async (services: Services, typed: string, language: Language): Promise<void> => {
  const { email } = (await services.storage.read.users.findBy("email", typed)) ?? {};
  if (email === undefined) return;
  const token = randomBytes(16).toString("hex");
  const systemName = services.options.text("SystemName");
  const link = `${services.options.serverAddress()}/user/reset?email=${encodeURIComponent(email)}&token=${token}`;
  const values = { systemName, link, minutes: String(VALID_MINUTES) };
  await services.mailer.send({ to: email, ...formatMail(language, "password-reset", values) });
  await services.storage.write.verifications.put(
    "password-reset",
    email,
    token,
    services.now() + VALID_MINUTES * 60,
  );
};

/**
 * Uses up the mailed code of a registration, where the site requires one.
 * @returns the verified address; undefined where none is required. @throws Failure
 */
const takeEmailCode = async (
  { options, accounts, storage, now }: Services,
  { username, email: typed, verificationCode }: z.output<typeof registerBodySchema>,
): Promise<string | undefined> => {
  if (!options.isOn("EmailVerificationEnabled")) return undefined;
  const email = foldEmail((typed ?? "").trim());
  const code = verificationCode ?? "";
  if (email === "" || code === "")
    throw new Failure("email-code-needed").at(email === "" ? "email" : "verification_code");
  if (accounts.users.findByName(username)) throw new Failure("username-taken");
  const isRight = await storage.write.verifications.use("email", email, code.trim(), now());
  if (!isRight) throw new Failure("code-invalid").at("verification_code");
  return email;
};

/** Registration, e-mail codes, forgotten passwords (contract section 1.2). */
export const registerRoutes: Route[] = [
  implement(register, async (context) => {
    const { body } = context;
    await checkHuman(context.services, context);
    if (!context.services.options.isOn("RegisterEnabled")) throw new Failure("register-off");
    if (!context.services.options.isOn("PasswordRegisterEnabled")) throw new Failure("password-register-off");
    checkUsername(body.username);
    checkPassword(body.password);
    checkTermsVersion(context.services, body.termsVersion);
    const code = await readRegistrationCode(context.services, body.promotionCode);
    const email = await takeEmailCode(context.services, body);
    const { id } = await createUser(context.services, {
      username: body.username,
      password: body.password,
      displayName: body.username,
      affCode: body.affCode ?? "",
      ...(email === undefined ? {} : { email }),
    });
    // Another version may have been published meanwhile: the console asks for that one at the sign-in.
    const { hasTerms, terms } = context.services.options;
    if (hasTerms && body.termsVersion === terms.version)
      await recordConsent(context.services, id, terms.version);
    return code === "" ? undefined : { bonus: await giveRegistrationBonus(context.services, id, code) };
  }),
  implement(sendEmailCode, async (context) => {
    const email = foldEmail(await readAddress(context.services, context));
    checkDomain(context.services, email);
    const systemName = context.services.options.text("SystemName");
    const owner = await context.services.storage.read.users.findBy("email", email);
    if (owner) {
      // The same answer as for other addresses: only its owner learns whether an address has an account.
      await context.services.mailer.send({
        to: owner.email,
        ...formatMail(context.language, "email-taken", { systemName }),
      });
      return undefined;
    }
    const code = randomBytes(3).toString("hex");
    const values = { systemName, code, minutes: String(VALID_MINUTES) };
    await context.services.mailer.send({ to: email, ...formatMail(context.language, "email-code", values) });
    // After the mail: a code that never arrived must not be guessable.
    await context.services.storage.write.verifications.put(
      "email",
      email,
      code,
      context.services.now() + VALID_MINUTES * 60,
    );
    return undefined;
  }),
  implement(requestReset, async (context) => {
    const email = await readAddress(context.services, context);
    if (!context.services.mailer.isConfigured()) throw new Failure("mail-not-configured");
    // Not awaited: neither the answer nor its timing shows whether an address has an account.
    sendResetLink(context.services, email, context.language).catch((error: unknown) =>
      context.services.logger.warn({ error: String(error) }, "a reset link could not be mailed"),
    );
    return undefined;
  }),
  implement(resetPassword, async ({ services, body }) => {
    const email = body.email.trim();
    checkEmail(email);
    const user = await services.storage.read.users.findBy("email", email);
    const isRight = await services.storage.write.verifications.use(
      "password-reset",
      user?.email ?? email,
      body.token,
      services.now(),
    );
    if (!user || !isRight) throw new Failure("reset-link-invalid");
    if (user.id === services.rootSetup.pendingUserId) throw new Failure("setup-pending");
    const password = randomAlphanumeric(12);
    const passwordHash = await hashPassword(password);
    await services.accounts.users.change(user.id, { passwordHash });
    await endAccess(services.accounts, user.id, undefined);
    services.notices.accountChanged(user, "password");
    return password;
  }),
  implement(bindEmail, async ({ services, caller, query, request }) => {
    checkFreshSignIn(services, caller, request);
    const email = foldEmail((query.email ?? "").trim());
    const isRight = await services.storage.write.verifications.use(
      "email",
      email,
      (query.code ?? "").trim(),
      services.now(),
    );
    if (!isRight) throw new Failure("code-invalid");
    const before = await services.storage.read.users.find(caller.id);
    await withConflicts(services.accounts.users.change(caller.id, { email }));
    if (before && before.email !== email) services.notices.accountChanged(before, "email");
    return undefined;
  }),
];
