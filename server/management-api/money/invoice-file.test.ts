import { MAX_INVOICE_FILE_BYTES } from "@tollgate/contract/records/invoice-record";
import { describe, expect, it } from "vitest";
import { readInvoiceFile } from "./invoice-file";

const read = (content: string | Buffer) => {
  const file = readInvoiceFile(Buffer.from(content).toString("base64"));
  return typeof file === "string" ? file : file.type;
};

describe("the file of an invoice", () => {
  it("has the format that its content has", () => {
    expect(read("%PDF-1.7\n…")).toBe("pdf");
    expect(read("PK\u0003\u0004…OFD.xml…")).toBe("ofd");
    expect(read('\uFEFF<?xml version="1.0"?><EInvoice/>')).toBe("xml");
  });

  it.each([
    ["empty", ""],
    ["HTML", "<!doctype html><html></html>"],
    ["HTML in XML", '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ["SVG", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["SVG with a prefix", '<?xml version="1.0"?><s:svg xmlns:s="http://www.w3.org/2000/svg"/>'],
    ["a style sheet", '<?xml version="1.0"?><?xml-stylesheet href="x"?><a/>'],
    ["another archive", "PK\u0003\u0004…word/document.xml"],
    ["a program", "MZ\u0090"],
  ])("is refused when it is %s", (_, content) => {
    expect(read(content)).toBe("invalid");
  });

  it("is refused when it is no base64, or too large", () => {
    for (const text of ["JVBERi0x*", "JVBERi0", "data:application/pdf;base64,JVBERi0x"])
      expect(readInvoiceFile(text)).toBe("invalid");
    const large = Buffer.alloc(MAX_INVOICE_FILE_BYTES + 1, "%PDF-");
    expect(read(large)).toBe("too-large");
    expect(read(large.subarray(0, MAX_INVOICE_FILE_BYTES))).toBe("pdf");
  });
});
