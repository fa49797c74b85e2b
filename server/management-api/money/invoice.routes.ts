import { Readable } from "node:stream";
import {
  applyForInvoice,
  changeTitle,
  createTitle,
  declineInvoice,
  deleteTitle,
  downloadInvoice,
  downloadOwnInvoice,
  INVOICE_SORTS,
  type Invoice,
  type invoiceTitleBody,
  issueInvoice,
  listInvoiceableOrders,
  listInvoices,
  listOwnInvoices,
  listTitles,
  MAX_DAILY_INVOICES,
  MAX_OPEN_INVOICES,
  MAX_TITLE_NAME,
  MAX_TITLE_TEXT,
  MAX_TITLES,
  OWN_INVOICE_SORTS,
  reverseInvoice,
  TO_REVERSE,
  withdrawInvoice,
} from "@tollgate/contract/api/invoices";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import {
  type DecidedInvoice,
  INVOICE_FILE_TYPES,
  INVOICE_STATES,
  type InvoiceFilter,
  type InvoiceRecord,
  type InvoiceTitle,
  MAX_INVOICE_FILE_BYTES,
} from "@tollgate/contract/records/invoice-record";
import { cleanTaxNumber, isCreditNumber, isTaxNumber } from "@tollgate/contract/values/tax-number";
import type * as z from "zod/mini";
import type { MessageKey } from "../../locales/catalogue";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { readMaybeChoice } from "../read-choice";
import { FileAnswer, implement, type Route, type RouteContext, readListPage } from "../route";
import type { Services } from "../services";
import { checkEmail } from "../sign-in/account-rules";
import { readInvoiceFile } from "./invoice-file";

/** Maximum number of orders that one is offered. */
const MAX_OFFERED_ORDERS = 200;
/** Characters of an order's number that lists show. */
const SHOWN_NUMBER = 8;
const MEGABYTE = 1024 * 1024;

const checkIsOn = ({ options }: Services): void => {
  if (!options.isOn("InvoicesEnabled")) throw new Failure("invoice-off");
};

/** Reads a filter of applications from a query. @throws Failure for an unknown state. */
export const readInvoiceFilter = (query: Record<string, string>): InvoiceFilter => {
  const keyword = (query.keyword ?? "").trim();
  const needsReversal = query.state === TO_REVERSE;
  return {
    state: needsReversal ? undefined : readMaybeChoice(INVOICE_STATES, query.state),
    needsReversal,
    keyword: keyword === "" ? undefined : keyword,
  };
};

const shownInvoice = ({ title, orders, ...invoice }: InvoiceRecord): Invoice => {
  const { kind, name, ...rest } = title;
  return { ...invoice, ...rest, titleKind: kind, titleName: name, orders: [...orders] };
};

/** The applicant must not see which administrator decided. */
const ownInvoice = (invoice: InvoiceRecord): Invoice => ({
  ...shownInvoice(invoice),
  decidedName: "",
  reversedName: "",
});

const checkText = (text: string, max: number, field: string): string => {
  const trimmed = text.trim();
  if (trimmed.length > 2 * max || [...trimmed].length > max || /\p{C}/u.test(trimmed))
    throw new Failure("invoice-text-invalid", { limit: max }).at(field);
  return trimmed;
};

/** Reads a title as it is stored. @throws Failure at the field. */
const readTitle = (
  { options }: Services,
  body: z.output<typeof invoiceTitleBody>,
): InvoiceTitle & { isDefault: boolean } => {
  const { kind } = body;
  if (kind !== "company" && options.text("InvoiceTitles") === "companies")
    throw new Failure("invoice-companies-only").at("kind");
  const name = checkText(body.name, MAX_TITLE_NAME, "name");
  if (name === "") throw new Failure("invoice-name-missing").at("name");
  const taxNumber = kind === "company" ? cleanTaxNumber(body.taxNumber) : "";
  if (kind === "company" && !isTaxNumber(taxNumber)) throw new Failure("invoice-tax-number").at("tax_number");
  const email = body.email.trim();
  if (email !== "") checkEmail(email);
  return {
    kind,
    name,
    taxNumber,
    email,
    address: checkText(body.address, MAX_TITLE_TEXT, "address"),
    phone: checkText(body.phone, MAX_TITLE_TEXT, "phone"),
    bank: checkText(body.bank, MAX_TITLE_TEXT, "bank"),
    account: checkText(body.account, MAX_TITLE_TEXT, "account"),
    isDefault: body.isDefault ?? false,
  };
};

/** The title of an application. @throws Failure at the field. */
const findTitle = async (
  { storage, options }: Services,
  userId: number,
  id: number,
  isSpecial: boolean,
): Promise<InvoiceTitle> => {
  const found = (await storage.read.invoices.titles(userId)).find((title) => title.id === id);
  if (!found) throw new Failure("invoice-title-unknown").at("title_id");
  const { id: _id, isDefault: _isDefault, ...title } = found;
  if (title.kind !== "company" && options.text("InvoiceTitles") === "companies")
    throw new Failure("invoice-companies-only").at("title_id");
  if (isSpecial && !isCreditNumber(title.taxNumber))
    throw new Failure("invoice-special-company").at("is_special");
  return title;
};

const readLink = (typed: string): string => {
  const link = typed.trim();
  if (link === "") return "";
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || /[\p{C}\s]/u.test(link))
    throw new Failure("invoice-link-invalid").at("link");
  return link;
};

const readFile = (base64: string) => {
  if (base64 === "") return undefined;
  const file = readInvoiceFile(base64);
  if (file === "too-large")
    throw new Failure("invoice-file-too-large", { limit: MAX_INVOICE_FILE_BYTES / MEGABYTE }).at("file");
  if (file === "invalid") throw new Failure("invoice-file-invalid").at("file");
  return file;
};

/** @throws Failure for an application that was not decided now. @param decided the sentence for another state. */
const made = (outcome: DecidedInvoice, decided: MessageKey): InvoiceRecord => {
  if (outcome === "not-found") throw new Failure("record-not-found");
  if (outcome === "decided") throw new Failure(decided);
  if (outcome === "amount-changed") throw new Failure("invoice-amount-changed");
  return outcome;
};

const actorOf = ({ services, caller }: Pick<RouteContext<"admin", unknown>, "services" | "caller">) => ({
  actorId: caller.id,
  actorName: caller.username,
  at: services.now(),
});

type Decision = "issued" | "declined" | "reversed";

const AUDITED = {
  issued: "invoice.issue",
  declined: "invoice.decline",
  reversed: "invoice.reverse",
} as const;

/** Records a decision, and notifies the applicant. */
const announce = async (
  context: Pick<RouteContext<"admin", unknown>, "services" | "caller" | "request">,
  invoice: InvoiceRecord,
  decision: Decision,
  reason = "",
): Promise<Invoice> => {
  const { services } = context;
  const { id, userId, username, amount, currency, number, title } = invoice;
  const money = formatMoney(amount, currency);
  const detail = { amount: money, title: title.name, number, link: invoice.link, reason };
  await audit(services, context, AUDITED[decision], id, detail, { id: userId, username });
  services.notices.raise({
    event: `invoice-${decision}`,
    subject: id,
    userId,
    params: { id, username, money, title: title.name, number: number || "–", reason: reason || "–" },
  });
  return shownInvoice(invoice);
};

const answerFile = async (
  { storage }: Services,
  id: number,
  userId: number | undefined,
): Promise<FileAnswer> => {
  const invoice = existing(await storage.read.invoices.find(id));
  // Another user's looks like one that does not exist.
  if (userId !== undefined && invoice.userId !== userId) throw new Failure("record-not-found");
  const { type, content } = existing(await storage.read.invoices.file(id));
  const bytes = Buffer.from(content, "base64");
  return new FileAnswer(Readable.from([bytes]), `invoice-${id}.${type}`, INVOICE_FILE_TYPES[type]);
};

/** Invoices over paid orders (docs/guides/invoices.md); not part of the contract. */
export const invoiceRoutes: Route[] = [
  implement(listTitles, async ({ services, caller }) => [
    ...(await services.storage.read.invoices.titles(caller.id)),
  ]),
  implement(createTitle, async ({ services, caller, body }) => {
    checkIsOn(services);
    const title = readTitle(services, body);
    const added = await services.storage.write.invoices.addTitle(caller.id, title, MAX_TITLES);
    if (!added) throw new Failure("invoice-too-many-titles", { limit: MAX_TITLES });
    return added;
  }),
  implement(changeTitle, async ({ services, caller, body, params }) => {
    checkIsOn(services);
    const title = readTitle(services, body);
    return existing(await services.storage.write.invoices.changeTitle(caller.id, params.id, title));
  }),
  implement(deleteTitle, async ({ services, caller, params }) => {
    if (!(await services.storage.write.invoices.removeTitle(caller.id, params.id)))
      throw new Failure("record-not-found");
    return undefined;
  }),
  implement(listInvoiceableOrders, async ({ services, caller }) => [
    ...(await services.storage.read.invoices.invoiceable(caller.id, MAX_OFFERED_ORDERS)),
  ]),
  implement(listOwnInvoices, async ({ services, caller, query }) => {
    const own = { userId: caller.id };
    const found = await services.storage.read.invoices.page(own, ...readListPage(query, OWN_INVOICE_SORTS));
    return found.map(ownInvoice);
  }),
  implement(applyForInvoice, async ({ services, caller, body }) => {
    checkIsOn(services);
    const { storage, options, notices, now } = services;
    const isSpecial = body.is_special ?? false;
    const minimum = options.number("InvoiceMinimum");
    const wanted = {
      userId: caller.id,
      username: caller.username,
      isSpecial,
      title: await findTitle(services, caller.id, body.title_id, isSpecial),
      orders: [...new Set(body.orders)],
      note: body.note.trim(),
      createdAt: now(),
    };
    const limits = { minimum, maxOpen: MAX_OPEN_INVOICES, maxDaily: MAX_DAILY_INVOICES };
    const outcome = await storage.write.invoices.apply(wanted, limits);
    if (outcome.kind === "refused") {
      const { fault, order } = outcome;
      const isAboutOrders = fault !== "too-many-open" && fault !== "too-many-today";
      const limit = fault === "too-many-open" ? MAX_OPEN_INVOICES : MAX_DAILY_INVOICES;
      const failure = new Failure(`invoice-${fault}`, {
        order: order.slice(0, SHOWN_NUMBER),
        minimum,
        limit,
      });
      throw isAboutOrders ? failure.at("orders") : failure;
    }
    const { invoice } = outcome;
    const money = formatMoney(invoice.amount, invoice.currency);
    notices.raise({
      event: "invoice-requested",
      subject: invoice.id,
      params: { id: invoice.id, username: caller.username, money, title: invoice.title.name },
    });
    return ownInvoice(invoice);
  }),
  implement(withdrawInvoice, async ({ services, caller, params }) => {
    const { storage, now } = services;
    const withdrawn = await storage.write.invoices.withdraw(caller.id, params.id, now());
    if (!withdrawn) throw new Failure("invoice-decided");
    return ownInvoice(withdrawn);
  }),
  implement(downloadOwnInvoice, ({ services, caller, params }) => answerFile(services, params.id, caller.id)),
  implement(listInvoices, async ({ services, query }) => {
    const filter = readInvoiceFilter(query);
    const found = await services.storage.read.invoices.page(filter, ...readListPage(query, INVOICE_SORTS));
    return found.map(shownInvoice);
  }),
  implement(issueInvoice, async (context) => {
    const { services, body, params } = context;
    const number = checkText(body.number, MAX_TITLE_TEXT, "number");
    const link = readLink(body.link);
    const file = readFile(body.file);
    if (number === "" && link === "" && !file) throw new Failure("invoice-proof-missing").at("number");
    const issued = { ...actorOf(context), amount: body.amount, number, link, file };
    const outcome = await services.storage.write.invoices.issue(params.id, issued);
    return announce(context, made(outcome, "invoice-decided"), "issued");
  }),
  implement(declineInvoice, async (context) => {
    const { services, body, params } = context;
    const by = { ...actorOf(context), reason: body.reason };
    const outcome = await services.storage.write.invoices.decline(params.id, by);
    return announce(context, made(outcome, "invoice-decided"), "declined", body.reason);
  }),
  implement(reverseInvoice, async (context) => {
    const { services, body, params } = context;
    const by = { ...actorOf(context), reason: body.reason };
    const outcome = await services.storage.write.invoices.reverse(params.id, by);
    return announce(context, made(outcome, "invoice-not-issued"), "reversed", body.reason);
  }),
  implement(downloadInvoice, ({ services, params }) => answerFile(services, params.id, undefined)),
];
