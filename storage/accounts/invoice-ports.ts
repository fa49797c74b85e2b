import type { InvoiceSort } from "@tollgate/contract/api/invoices";
import type {
  AppliedInvoice,
  DecidedInvoice,
  InvoiceActor,
  InvoiceableOrder,
  InvoiceFile,
  InvoiceFilter,
  InvoiceLimits,
  InvoiceRecord,
  InvoiceTitle,
  IssuedInvoice,
  NewInvoice,
  StoredTitle,
} from "@tollgate/contract/records/invoice-record";
import type { ListSort } from "@tollgate/contract/resource/list-sort";

/* Invoices over paid orders (docs/guides/invoices.md). Offsets and limits count rows; times are unix seconds. */

export interface InvoiceQueries {
  /** All titles of a user, the default one first. */
  titles(userId: number): Promise<StoredTitle[]>;
  /** One page of applications, the newest first by default. */
  page(
    filter: InvoiceFilter,
    offset: number,
    limit: number,
    sort?: ListSort<InvoiceSort>,
  ): Promise<InvoiceRecord[]>;
  /** Applications with ids below `id`, the newest first. */
  before(filter: InvoiceFilter, id: number, limit: number): Promise<InvoiceRecord[]>;
  find(id: number): Promise<InvoiceRecord | undefined>;
  /** The file of an issued invoice, in base64. */
  file(id: number): Promise<InvoiceFile | undefined>;
  /** Paid orders of a user that no live application has, the newest first. */
  invoiceable(userId: number, limit: number): Promise<InvoiceableOrder[]>;
  /** The id of the issued invoice over an order; undefined for none. */
  issuedFor(orderNumber: string): Promise<number | undefined>;
}

export interface InvoiceChanges {
  /** Adds a title; a user's first one is the default. @returns undefined where the user has `max` already. */
  addTitle(
    userId: number,
    title: InvoiceTitle & { isDefault: boolean },
    max: number,
  ): Promise<StoredTitle | undefined>;
  /** Changes a user's title. @returns undefined where the user has no such title. */
  changeTitle(
    userId: number,
    id: number,
    title: InvoiceTitle & { isDefault: boolean },
  ): Promise<StoredTitle | undefined>;
  /** @returns false where the user has no such title. */
  removeTitle(userId: number, id: number): Promise<boolean>;
  /** Makes an application over a user's orders, all or nothing. An order is in one live application. */
  apply(invoice: NewInvoice, limits: InvoiceLimits): Promise<AppliedInvoice>;
  /** Withdraws a user's open application. @returns undefined without one. */
  withdraw(userId: number, id: number, at: number): Promise<InvoiceRecord | undefined>;
  /** Issues an open application, once. @throws StorageConflict "favour-refused" */
  issue(id: number, issued: IssuedInvoice): Promise<DecidedInvoice>;
  /** Declines an open application: its orders are free again. @throws StorageConflict "favour-refused" */
  decline(id: number, by: InvoiceActor & { reason: string }): Promise<DecidedInvoice>;
  /** Marks an issued invoice as reversed: its orders are free again. @throws StorageConflict "favour-refused" */
  reverse(id: number, by: InvoiceActor & { reason: string }): Promise<DecidedInvoice>;
}
