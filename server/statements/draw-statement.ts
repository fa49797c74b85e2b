import PDFDocument from "pdfkit";
import {
  layOutStatement,
  type PaperRow,
  type StatementContent,
  type StatementPaper,
} from "./lay-out-statement";
import type { HasGlyph } from "./printable-text";

/*
 * Lengths are PDF points, 1/72 inch, from the upper left corner of an A4 page.
 */

const WIDTH = 595.28;
const HEIGHT = 841.89;
const LEFT = 56;
const RIGHT = WIDTH - LEFT;
const TOP = 56;
const BOTTOM = HEIGHT - 68;
const FOOT = HEIGHT - 48;
/** The columns of a block: the label from the left edge, the others to these right edges. */
const LABEL_WIDTH = (RIGHT - LEFT) * 0.5;
const COUNT_RIGHT = LEFT + (RIGHT - LEFT) * 0.62;
const PERIOD_WIDTH = 220;

const INK = "#1a1d21";
const PALE = "#5b626b";
const LINE = "#d5d9de";
const STRONG_LINE = "#8a9199";

const SIZES = { heading: 16, block: 12, row: 10, small: 9 } as const;
const ROW_SPACE = 5;

/** The font has one weight: an outline around its letters makes them bold. */
const BOLD = { fill: true, stroke: true } as const;
const BOLD_LINE = 0.2;

interface Look {
  size: number;
  colour?: string;
  isBold?: boolean;
}

type Document = InstanceType<typeof PDFDocument>;

/** Draws from top to bottom, and begins a page where the last one is full. */
class Pen {
  y = TOP;

  constructor(readonly document: Document) {}

  /** Begins a page if so much does not fit. */
  reserve(height: number): void {
    if (this.y + height <= BOTTOM) return;
    this.document.addPage();
    this.y = TOP;
  }

  /** @returns the height of the text in a column. */
  heightOf(text: string, size: number, width: number): number {
    return this.document.fontSize(size).heightOfString(text, { width });
  }

  /** A text in a column, with as many lines as it needs; leaves `y` where it is. */
  put(text: string, x: number, width: number, { size, colour = INK, isBold = false }: Look): void {
    this.take(size, colour).text(text, x, this.y, { width, ...(isBold && BOLD) });
  }

  /** One line that ends at `right`. */
  putEnd(text: string, right: number, { size, colour = INK, isBold = false }: Look): void {
    const { document } = this;
    this.take(size, colour);
    document.text(text, right - document.widthOfString(text), this.y, {
      lineBreak: false,
      ...(isBold && BOLD),
    });
  }

  private take(size: number, colour: string): Document {
    return this.document.fontSize(size).fillColor(colour).strokeColor(colour).lineWidth(BOLD_LINE);
  }

  rule(colour: string): void {
    this.document.moveTo(LEFT, this.y).lineTo(RIGHT, this.y).lineWidth(0.5).strokeColor(colour).stroke();
  }
}

const drawHead = (pen: Pen, { site, heading, owner, period, remarks }: StatementPaper): void => {
  const width = RIGHT - LEFT - PERIOD_WIDTH - 24;
  const left = [
    { text: site, size: SIZES.small, colour: PALE },
    { text: heading, size: SIZES.heading, isBold: true },
    ...owner.map((text) => ({ text, size: SIZES.row })),
  ];
  for (const { text, ...look } of left) {
    if (text === "") continue;
    pen.put(text, LEFT, width, look);
    pen.y += pen.heightOf(text, look.size, width) + 3;
  }
  const end = pen.y;
  pen.y = TOP;
  for (const text of period) {
    pen.put(text, RIGHT - PERIOD_WIDTH, PERIOD_WIDTH, { size: SIZES.small, colour: PALE });
    pen.y += pen.heightOf(text, SIZES.small, PERIOD_WIDTH) + 3;
  }
  pen.y = Math.max(end, pen.y) + 8;
  for (const text of remarks) {
    pen.put(text, LEFT, RIGHT - LEFT, { size: SIZES.row, colour: PALE });
    pen.y += pen.heightOf(text, SIZES.row, RIGHT - LEFT) + 6;
  }
};

const drawRow = (pen: Pen, { label, count, amount, isSum }: PaperRow): void => {
  const height = pen.heightOf(label, SIZES.row, LABEL_WIDTH) + 2 * ROW_SPACE;
  pen.reserve(height);
  pen.y += ROW_SPACE;
  pen.put(label, LEFT, LABEL_WIDTH, { size: SIZES.row, isBold: isSum });
  if (count !== "") pen.putEnd(count, COUNT_RIGHT, { size: SIZES.small, colour: PALE });
  pen.putEnd(amount, RIGHT, { size: SIZES.row, isBold: isSum });
  pen.y += height - ROW_SPACE;
  pen.rule(isSum ? STRONG_LINE : LINE);
};

const drawBlock = (pen: Pen, { title, rows }: StatementPaper["blocks"][number]): void => {
  const height = pen.heightOf(title, SIZES.block, RIGHT - LEFT);
  pen.y += 14;
  // The title stays with its first lines.
  pen.reserve(height + 70);
  pen.put(title, LEFT, RIGHT - LEFT, { size: SIZES.block, isBold: true });
  pen.y += height + 4;
  pen.rule(STRONG_LINE);
  for (const row of rows) drawRow(pen, row);
};

const drawFeet = (pen: Pen, { made, pageText }: StatementPaper): void => {
  const { count } = pen.document.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    pen.document.switchToPage(index);
    pen.y = FOOT;
    const look = { size: SIZES.small, colour: PALE };
    pen.put(made, LEFT, (RIGHT - LEFT) / 2, look);
    pen.putEnd(pageText(index + 1, count), RIGHT, look);
  }
};

/** pdfkit keeps the opened font here; its types do not say so. */
const glyphsOf = (document: Document): HasGlyph => {
  const { _font } = document as unknown as {
    _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } };
  };
  return (codePoint) => _font.font.hasGlyphForCodePoint(codePoint);
};

const collect = (document: Document): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    document.on("data", (part: Buffer) => parts.push(part));
    document.on("end", () => resolve(new Uint8Array(Buffer.concat(parts))));
    document.on("error", reject);
  });

/**
 * Draws a statement as a PDF with the glyphs that it uses.
 * @param font an OpenType font.
 */
export const drawStatement = async (
  font: Buffer,
  content: StatementContent,
): Promise<Uint8Array<ArrayBuffer>> => {
  const document = new PDFDocument({
    ...{ size: [WIDTH, HEIGHT], margin: 0, autoFirstPage: false, bufferPages: true },
    ...{ pdfVersion: "1.7", lang: content.language, displayTitle: true },
    // No standard font is loaded.
    font: "",
    info: { Producer: "Tollgate", Creator: "Tollgate", CreationDate: new Date(content.madeAt * 1000) },
  });
  const file = collect(document);
  document.font(font);
  const paper = layOutStatement(content, glyphsOf(document));
  document.info.Title = paper.site === "" ? paper.heading : `${paper.site} – ${paper.heading}`;
  document.addPage();
  const pen = new Pen(document);
  drawHead(pen, paper);
  for (const block of paper.blocks) drawBlock(pen, block);
  drawFeet(pen, paper);
  document.end();
  return file;
};
