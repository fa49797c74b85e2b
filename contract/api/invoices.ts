import * as z from "zod/mini";
import { idNumber, maybe, textOrNone } from "../management/wire";
import { INVOICE_STATES, MAX_INVOICE_FILE_BYTES, TITLE_KINDS } from "../records/invoice-record";
import { endpoint, PAGE_PARAMETER, SORT_PARAMETER } from "../resource/endpoint";
import { codecOf, flag, int, text } from "../resource/fields";
import { CLOCK_PARAMETERS } from "../resource/file-parameters";
import { listOf, optional, resource, type ValueOf } from "../resource/resource";

/*
 * Invoices (发票) over paid orders: titles of users, their applications, and the decisions of administrators: /api/invoice/…
 * (docs/guides/invoices.md). Not part of the one-api contract; another server answers these calls with 404.
 */

export const MAX_TITLE_NAME = 100;
/** Address, phone, bank and account of a title. */
export const MAX_TITLE_TEXT = 100;
export const MAX_INVOICE_NOTE = 200;
export const MAX_INVOICE_NUMBER = 40;
export const MAX_INVOICE_LINK = 500;
/** Orders of one application. */
export const MAX_INVOICE_ORDERS = 100;
/** Titles per user. */
export const MAX_TITLES = 20;
/** Open applications per user. */
export const MAX_OPEN_INVOICES = 20;
/** Applications per user in a day, also withdrawn ones. */
export const MAX_DAILY_INVOICES = 50;

const kind = {
  name: "kind",
  strict: z.enum(TITLE_KINDS),
  loose: z.catch(z.enum(TITLE_KINDS), "personal"),
} as const;

const titleFields = {
  id: int("id"),
  kind,
  name: text("name"),
  /** Of a company; "" for a person. */
  taxNumber: text("tax_number"),
  email: text("email"),
  address: text("address"),
  phone: text("phone"),
  bank: text("bank"),
  account: text("account"),
  isDefault: flag("is_default"),
};

/** An invoice title of a user. */
export const invoiceTitle = resource(titleFields);
export type InvoiceTitleRow = ValueOf<typeof invoiceTitle>;

export const invoiceTitleBody = codecOf(titleFields, {
  kind: z.enum(TITLE_KINDS),
  name: z.string(),
  taxNumber: textOrNone,
  email: textOrNone,
  address: textOrNone,
  phone: textOrNone,
  bank: textOrNone,
  account: textOrNone,
  isDefault: maybe(z.boolean()),
});

const ordersSchema = z.array(z.object({ number: z.string(), amount: z.int() }));

const invoiceFields = {
  id: int("id"),
  userId: int("user_id"),
  username: text("username"),
  state: text("state"),
  /** A special invoice (专用发票). */
  isSpecial: flag("is_special"),
  titleKind: text("title_kind"),
  titleName: text("title_name"),
  taxNumber: text("tax_number"),
  email: text("email"),
  address: text("address"),
  phone: text("phone"),
  bank: text("bank"),
  account: text("account"),
  /** Minor units of `currency`. */
  amount: int("amount"),
  currency: text("currency"),
  orders: { name: "orders", strict: ordersSchema, loose: z.catch(ordersSchema, []) } as const,
  note: text("note"),
  /** The number of the issued invoice. */
  number: text("number"),
  link: text("link"),
  /** `pdf`, `ofd` or `xml`; "" without a file. */
  fileType: text("file_type"),
  fileSize: int("file_size"),
  /** Money went back after the invoice was issued. */
  needsReversal: flag("needs_reversal"),
  createdAt: int("created_time"),
  decidedAt: int("decided_time"),
  /** "" for the applicant. */
  decidedName: text("decided_name"),
  reason: text("reason"),
  reversedAt: int("reversed_time"),
  reversedName: text("reversed_name"),
  reversedReason: text("reversed_reason"),
};

/** An application for an invoice. */
export const invoice = resource(invoiceFields);
export type Invoice = ValueOf<typeof invoice>;

/** A paid order that an application may have. */
const invoiceableOrder = resource({
  number: text("number"),
  amount: int("amount"),
  currency: text("currency"),
  paidAt: int("paid_time"),
});
export type InvoiceableOrderRow = ValueOf<typeof invoiceableOrder>;

const applyBodySchema = z.object({
  title_id: idNumber,
  orders: z.array(z.string().check(z.maxLength(32))).check(z.minLength(1), z.maxLength(MAX_INVOICE_ORDERS)),
  is_special: maybe(z.boolean()),
  note: z.pipe(textOrNone, z.string().check(z.maxLength(MAX_INVOICE_NOTE))),
});

/** A file travels in base64, beside the other fields. */
const ISSUE_LIMIT_BYTES = Math.ceil((MAX_INVOICE_FILE_BYTES * 4) / 3) + 16_384;

const issueBodySchema = z.object({
  /** The amount that the administrator saw, in minor units: another one is refused. */
  amount: z.int(),
  number: z.pipe(textOrNone, z.string().check(z.maxLength(MAX_INVOICE_NUMBER))),
  link: z.pipe(textOrNone, z.string().check(z.maxLength(MAX_INVOICE_LINK))),
  /** In base64; its format is found in its content. */
  file: textOrNone,
});

const reasonBodySchema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_INVOICE_NOTE)),
});

export const OWN_INVOICE_SORTS = ["created_time", "state", "amount"] as const;

export const INVOICE_SORTS = [...OWN_INVOICE_SORTS, "username", "title"] as const;
export type InvoiceSort = (typeof INVOICE_SORTS)[number];

/** The filter of invoices that need to be reversed, beside the states. */
export const TO_REVERSE = "to-reverse";

const INVOICE_PARAMETERS = {
  state: `Only applications in this state: ${INVOICE_STATES.join(", ")}; or \`${TO_REVERSE}\`: issued, and money went back since.`,
  keyword:
    "Only applications whose user, title, tax number or invoice number begins with this, or that have the order with this number.",
} as const;

export const listTitles = endpoint({
  method: "GET",
  path: "/api/invoice/titles",
  guard: "user",
  summary: "One's invoice titles, the default one first",
  data: listOf(invoiceTitle),
  reads: "invoices",
});

export const createTitle = endpoint({
  method: "POST",
  path: "/api/invoice/titles",
  guard: "user",
  summary: "Adds an invoice title; the first one is the default",
  body: invoiceTitleBody,
  data: invoiceTitle,
  changes: ["invoices"],
});

export const changeTitle = endpoint({
  method: "PUT",
  path: "/api/invoice/titles/:id",
  guard: "user",
  summary: "Changes one of one's invoice titles; applications keep theirs",
  body: invoiceTitleBody,
  data: invoiceTitle,
  changes: ["invoices"],
});

export const deleteTitle = endpoint({
  method: "DELETE",
  path: "/api/invoice/titles/:id",
  guard: "user",
  summary: "Deletes one of one's invoice titles; applications keep theirs",
  changes: ["invoices"],
});

export const listInvoiceableOrders = endpoint({
  method: "GET",
  path: "/api/invoice/orders",
  guard: "user",
  summary: "One's paid orders that no application has, the newest first",
  data: listOf(invoiceableOrder),
  reads: "invoices",
});

export const listOwnInvoices = endpoint({
  method: "GET",
  path: "/api/invoice/self",
  guard: "user",
  summary: "A page of one's applications for invoices, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER },
  sorts: OWN_INVOICE_SORTS,
  data: listOf(invoice),
  reads: "invoices",
});

export const applyForInvoice = endpoint({
  method: "POST",
  path: "/api/invoice/self",
  guard: "user",
  summary: "Applies for an invoice over paid orders of one currency",
  body: applyBodySchema,
  data: invoice,
  changes: ["invoices"],
});

export const withdrawInvoice = endpoint({
  method: "POST",
  path: "/api/invoice/self/:id/withdraw",
  guard: "user",
  summary: "Withdraws one of one's open applications",
  data: optional(invoice),
  changes: ["invoices"],
});

export const downloadOwnInvoice = endpoint({
  method: "GET",
  path: "/api/invoice/self/:id/file",
  guard: "user",
  summary: "The file of one of one's issued invoices",
  isFile: true,
});

export const listInvoices = endpoint({
  method: "GET",
  path: "/api/invoice",
  guard: "admin",
  area: "invoices",
  summary: "A page of all applications for invoices, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...INVOICE_PARAMETERS },
  sorts: INVOICE_SORTS,
  data: listOf(invoice),
  reads: "invoices",
});

export const exportInvoices = endpoint({
  method: "GET",
  path: "/api/invoice/export",
  guard: "admin",
  area: "invoices",
  summary: "All applications that match a filter, as a file",
  query: { ...CLOCK_PARAMETERS, ...INVOICE_PARAMETERS },
  isFile: true,
});

export const issueInvoice = endpoint({
  method: "POST",
  path: "/api/invoice/:id/issue",
  guard: "admin",
  area: "invoices",
  summary: "Issues an open application, with a number, a file or a link",
  body: issueBodySchema,
  data: optional(invoice),
  bodyLimitBytes: ISSUE_LIMIT_BYTES,
  changes: ["invoices"],
});

export const declineInvoice = endpoint({
  method: "POST",
  path: "/api/invoice/:id/decline",
  guard: "admin",
  area: "invoices",
  summary: "Declines an open application with a reason; its orders can be in another one",
  body: reasonBodySchema,
  data: optional(invoice),
  changes: ["invoices"],
});

export const reverseInvoice = endpoint({
  method: "POST",
  path: "/api/invoice/:id/reverse",
  guard: "admin",
  area: "invoices",
  summary: "Marks an issued invoice as reversed, with a reason: its orders can then be refunded",
  body: reasonBodySchema,
  data: optional(invoice),
  changes: ["invoices"],
});

export const downloadInvoice = endpoint({
  method: "GET",
  path: "/api/invoice/:id/file",
  guard: "admin",
  area: "invoices",
  summary: "The file of an issued invoice",
  isFile: true,
});
