/* Invoice titles of users, and their applications for invoices over paid orders (docs/guides/invoices.md). */

export const TITLE_KINDS = ["personal", "company"] as const;
export type TitleKind = (typeof TITLE_KINDS)[number];

/** The party that an invoice is made out to. */
export interface InvoiceTitle {
  readonly kind: TitleKind;
  readonly name: string;
  /** Of a company; "" for a person. */
  readonly taxNumber: string;
  readonly email: string;
  /** For special invoices; "" where not given. */
  readonly address: string;
  readonly phone: string;
  readonly bank: string;
  readonly account: string;
}

/** A title as its user keeps it. */
export interface StoredTitle extends InvoiceTitle {
  readonly id: number;
  readonly isDefault: boolean;
}

/** "reversed": it was issued, and a person has reversed it (红冲) since. */
export const INVOICE_STATES = ["open", "issued", "declined", "withdrawn", "reversed"] as const;
export type InvoiceState = (typeof INVOICE_STATES)[number];

/** The states in which no other application may have the same orders. */
export const LIVE_INVOICE_STATES = ["open", "issued"] as const satisfies readonly InvoiceState[];

/** The formats of an issued invoice, with their types on the wire. */
export const INVOICE_FILE_TYPES = {
  pdf: "application/pdf",
  ofd: "application/ofd",
  xml: "application/xml",
} as const;
export type InvoiceFileType = keyof typeof INVOICE_FILE_TYPES;

/** Maximum size of an invoice's file, in bytes. */
export const MAX_INVOICE_FILE_BYTES = 5 * 1024 * 1024;

/** An order in an application, with the amount that it counts for. Minor units. */
export interface InvoicedOrder {
  readonly number: string;
  readonly amount: number;
}

/** An application as it is stored. */
export interface InvoiceRecord {
  readonly id: number;
  readonly userId: number;
  readonly username: string;
  readonly state: InvoiceState;
  /** A special invoice (专用发票), which its buyer can deduct. */
  readonly isSpecial: boolean;
  /** As it was when the user applied. */
  readonly title: InvoiceTitle;
  /** Minor units of `currency`: the money paid for its orders, less the money that went back. */
  readonly amount: number;
  readonly currency: string;
  readonly orders: readonly InvoicedOrder[];
  /** The user's remark. */
  readonly note: string;
  /** The number of the issued invoice; "" for none. */
  readonly number: string;
  /** Address of the issued invoice elsewhere; "" for none. */
  readonly link: string;
  /** "" without a file. */
  readonly fileType: InvoiceFileType | "";
  readonly fileSize: number;
  /** Money went back after it was issued: an administrator has to reverse it. */
  readonly needsReversal: boolean;
  /** Unix seconds; 0 before. */
  readonly createdAt: number;
  readonly decidedAt: number;
  readonly decidedName: string;
  /** Why it was declined. */
  readonly reason: string;
  readonly reversedAt: number;
  readonly reversedName: string;
  readonly reversedReason: string;
}

/** An application to be made. */
export interface NewInvoice {
  readonly userId: number;
  readonly username: string;
  readonly isSpecial: boolean;
  readonly title: InvoiceTitle;
  /** Numbers of the orders. */
  readonly orders: readonly string[];
  readonly note: string;
  readonly createdAt: number;
}

/** Limits of an application. */
export interface InvoiceLimits {
  /** The smallest amount, in units of the orders' currency. */
  readonly minimum: number;
  /** Maximum number of open applications per user. */
  readonly maxOpen: number;
  /** Maximum number of applications per user in a day, also of withdrawn ones. */
  readonly maxDaily: number;
}

export const INVOICE_FAULTS = [
  "order-unknown",
  "order-not-paid",
  /** All its money went back. */
  "order-refunded",
  /** It is in an application that is open, or whose invoice was issued. */
  "order-invoiced",
  "currencies-differ",
  "below-minimum",
  "too-many-open",
  "too-many-today",
] as const;
export type InvoiceFault = (typeof INVOICE_FAULTS)[number];

export type AppliedInvoice =
  | { readonly kind: "made"; readonly invoice: InvoiceRecord }
  /** @property order the number of the order that it is about; "" for none. */
  | { readonly kind: "refused"; readonly fault: InvoiceFault; readonly order: string };

/** The file of an issued invoice. */
export interface InvoiceFile {
  readonly type: InvoiceFileType;
  /** Base64. */
  readonly content: string;
}

/** An administrator's decision. */
export interface InvoiceActor {
  readonly actorId: number;
  readonly actorName: string;
  /** Unix seconds. */
  readonly at: number;
}

export interface IssuedInvoice extends InvoiceActor {
  /** The amount that the administrator saw: another one is refused. */
  readonly amount: number;
  readonly number: string;
  readonly link: string;
  readonly file: InvoiceFile | undefined;
}

/** Outcome of a decision: the application, or why nothing changed. */
export type DecidedInvoice = InvoiceRecord | "not-found" | "decided" | "amount-changed";

/** Which applications are asked for; all where nothing is said. */
export interface InvoiceFilter {
  readonly userId?: number | undefined;
  readonly state?: InvoiceState | undefined;
  readonly needsReversal?: boolean | undefined;
  /** The beginning of a user's name, a title's name, a tax number or an invoice's number; or an order's whole number. */
  readonly keyword?: string | undefined;
}

/** A paid order that an application may have. */
export interface InvoiceableOrder extends InvoicedOrder {
  readonly currency: string;
  readonly paidAt: number;
}
