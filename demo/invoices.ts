import {
  applyForInvoice,
  createTitle,
  issueInvoice,
  listInvoiceableOrders,
} from "@tollgate/contract/api/invoices";
import type { SignedIn } from "./api-client";
import { ask } from "./build-world";

/* Invoices in the demo's world: titles, an issued invoice and open applications. */

/** A document that a reader shows as an empty page. */
const EMPTY_PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 420]>>endobj
trailer<</Root 1 0 R>>
`;

const COMPANY = {
  kind: "company",
  name: "杭州云岭数据科技有限公司",
  tax_number: "91330106MA2CFLDG4R",
  email: "finance@example.com",
} as const;

/** Applies for an invoice over all paid orders of a person. @returns the application. */
const applyForAll = async (buyer: SignedIn, title: { kind: "company" | "personal"; name: string }) => {
  const { id } = await ask(buyer, createTitle, { body: title });
  const orders = (await ask(buyer, listInvoiceableOrders, {})).map(({ number }) => number);
  return ask(buyer, applyForInvoice, { body: { title_id: id, orders } });
};

/** Applies for invoices as customers do, and issues one. */
export const makeInvoices = async (
  root: SignedIn,
  as: (username: string) => Promise<SignedIn>,
): Promise<void> => {
  const { id, amount } = await applyForAll(await as("chenjie"), COMPANY);
  const file = Buffer.from(EMPTY_PDF).toString("base64");
  await ask(root, issueInvoice, { params: { id }, body: { amount, number: "26332000001234567890", file } });
  await applyForAll(await as("lihua"), { ...COMPANY, name: "杭州云岭数据科技有限公司上海分公司" });
  await applyForAll(await as("wangwei"), { kind: "personal", name: "王伟" });
};
