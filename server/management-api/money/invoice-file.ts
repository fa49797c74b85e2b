import { type InvoiceFile, MAX_INVOICE_FILE_BYTES } from "@tollgate/contract/records/invoice-record";

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** The part of an XML file in which its root is looked for, in bytes. */
const HEAD_BYTES = 4096;
/** Documents that a browser would run. */
const RUNNABLE = /<(?:[\w-]+:)?(?:html|svg|script)\b|<\?xml-stylesheet/i;

const typeOf = (bytes: Buffer): InvoiceFile["type"] | undefined => {
  if (bytes.subarray(0, 5).toString("latin1") === "%PDF-") return "pdf";
  // OFD is a ZIP archive with this entry.
  if (bytes.subarray(0, 4).toString("latin1") === "PK\u0003\u0004")
    return bytes.includes("OFD.xml") ? "ofd" : undefined;
  const head = bytes
    .subarray(0, HEAD_BYTES)
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trimStart();
  return head.startsWith("<?xml") && !RUNNABLE.test(head) ? "xml" : undefined;
};

/**
 * Reads an uploaded file. Its format is found in its content; the uploader's name of it is never used.
 * @returns why it is refused, if it is.
 */
export const readInvoiceFile = (base64: string): InvoiceFile | "too-large" | "invalid" => {
  if (!BASE64.test(base64) || base64.length % 4 !== 0) return "invalid";
  const bytes = Buffer.from(base64, "base64");
  if (bytes.byteLength > MAX_INVOICE_FILE_BYTES) return "too-large";
  const type = typeOf(bytes);
  return type ? { type, content: base64 } : "invalid";
};
