import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Vendor } from "../define-vendor";
import { VENDORS } from "../vendors";
import type { VendorCard, VendorForm } from "./vendor-card";

const cardOf = ({ type, name, color, balance }: Vendor): VendorCard => ({
  type,
  name: name.zh === name.en ? name.en : name,
  color,
  balanceUnit: balance?.unit,
});

const formOf = ({
  category,
  baseUrl,
  baseUrlField,
  keyShape,
  keyForms,
  other,
  models,
}: Vendor): VendorForm => ({
  category,
  baseUrl,
  baseUrlField,
  keyShape: keyShape?.source,
  keyFormat: keyForms?.forms.find(({ isHint }) => isHint)?.text,
  keyDocument: keyForms?.separator === "service-account" ? keyForms.separator : undefined,
  other,
  models: models.length === 0 ? undefined : models,
});

const LINE_WIDTH = 110;

/** A value as the formatter writes it: objects over several lines, lists where they do not fit on one. */
const print = (value: unknown, indent: string, used: number): string => {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => print(item, deeper, deeper.length));
    const line = `[${items.join(", ")}]`;
    const isShort = !line.includes("\n") && used + line.length + 1 <= LINE_WIDTH;
    return isShort ? line : `[\n${items.map((item) => `${deeper}${item},\n`).join("")}${indent}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const lines = fields.map(
    ([name, field]) => `${deeper}${name}: ${print(field, deeper, deeper.length + name.length + 2)},\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
};

const write = (type: string, declaration: string, value: unknown): string =>
  `import type { ${type} } from "./vendor-card";

/** Written from the vendors' files: UPDATE_DOCS=1 npx vitest run vendors */
export const ${declaration} = ${print(value, "", 0)};
`;

const FILES: readonly [file: string, text: string][] = [
  ["cards.ts", write("VendorCard", "VENDOR_CARDS: readonly VendorCard[]", VENDORS.map(cardOf))],
  [
    "forms.ts",
    write(
      "VendorForm",
      "VENDOR_FORMS: Readonly<Record<number, VendorForm>>",
      Object.fromEntries(VENDORS.map((vendor) => [vendor.type, formOf(vendor)])),
    ),
  ],
];

describe("what the console knows of the vendors", () => {
  it.each(FILES)(
    "stands in %s as their files say it (if not: UPDATE_DOCS=1 npx vitest run vendors)",
    (file, text) => {
      const url = new URL(file, import.meta.url);
      if (process.env.UPDATE_DOCS === "1") writeFileSync(url, text);
      else expect(readFileSync(url, "utf8")).toBe(text);
    },
  );

  it("is enough to know what the server asks for: an address where the vendor has none, the form of a key", () => {
    const byName = (wanted: string): VendorForm => {
      const vendor = VENDORS.find(({ name }) => name.en === wanted);
      if (!vendor) throw new Error(`no vendor is called ${wanted}`);
      return formOf(vendor);
    };
    expect(byName("Cloudflare Workers AI").baseUrl).toBe("");
    expect(byName("Baidu Qianfan").keyFormat).toBe("APIKey|SecretKey");
    expect(byName("Google Vertex AI").keyDocument).toBe("service-account");
  });
});
