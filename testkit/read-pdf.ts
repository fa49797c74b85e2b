import { inflateSync } from "node:zlib";

/*
 * Reads the PDFs that pdfkit writes: objects in plain text, streams compressed or not, and fonts with a map of their
 * glyphs to Unicode (ISO 32000-1, 7.3.8, 9.4.3 and 9.10.3).
 */

/** A PDF as tests look at it. */
export interface ReadPdf {
  /** The text of its objects without their streams. */
  objects: string;
  pages: number;
  /** The shown texts of all pages, one for each operator. */
  texts: string[];
}

/** Splits a file into the text of its objects and its streams, by their lengths: packed bytes may contain any word. */
const splitFile = (file: string): { objects: string; streams: string[] } => {
  const begin = /\/Length (\d+)(?:(?!endobj)[\s\S])*?>>\s*stream\r?\n/g;
  const streams: string[] = [];
  let objects = "";
  let read = 0;
  for (let found = begin.exec(file); found; found = begin.exec(file)) {
    const end = begin.lastIndex + Number(found[1]);
    const object = file.slice(file.lastIndexOf(" obj", begin.lastIndex), begin.lastIndex);
    const data = file.slice(begin.lastIndex, end);
    streams.push(
      object.includes("/FlateDecode") ? inflateSync(Buffer.from(data, "latin1")).toString("latin1") : data,
    );
    objects += file.slice(read, begin.lastIndex);
    read = end;
    begin.lastIndex = end;
  }
  return { objects: objects + file.slice(read), streams };
};

const toText = (hex: string): string => Buffer.from(hex, "hex").swap16().toString("utf16le");

/** Unicode by glyph number, of the ranges in a map: `<0000> <0002> [<0041> <0042> <0066 0069>]`; the last one is a ligature. */
const readGlyphs = (map: string): Map<number, string> => {
  const glyphs = new Map<number, string>();
  for (const [, first = "", list = ""] of map.matchAll(/<(\w+)>\s*<\w+>\s*\[([^\]]*)\]/g))
    for (const [index, [, hex = ""]] of [...list.matchAll(/<([\w ]*)>/g)].entries())
      glyphs.set(Number.parseInt(first, 16) + index, toText(hex.replaceAll(" ", "")));
  return glyphs;
};

/** @throws an error for a file without the begin or the end of a PDF. */
export const readPdf = (bytes: Uint8Array): ReadPdf => {
  const file = Buffer.from(bytes).toString("latin1");
  if (!file.startsWith("%PDF-1.") || !file.trimEnd().endsWith("%%EOF")) throw new Error("this is no PDF");
  const { objects, streams } = splitFile(file);
  const glyphs = readGlyphs(streams.find((stream) => stream.includes("begincmap")) ?? "");
  const texts = streams.flatMap((stream) =>
    [...stream.matchAll(/\[([^\]]*)\]\s*TJ/g)].map(([, shown = ""]) =>
      [...shown.matchAll(/<(\w*)>/g)]
        .flatMap(([, hex = ""]) => hex.match(/.{4}/g) ?? [])
        .map((glyph) => glyphs.get(Number.parseInt(glyph, 16)) ?? "?")
        .join(""),
    ),
  );
  return {
    objects,
    pages: Number(/\/Type \/Pages\s*\/Count (\d+)/.exec(objects)?.[1] ?? 0),
    texts,
  };
};
