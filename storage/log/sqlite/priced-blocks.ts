import type { Connection } from "../../sqlite/connection";
import { hourOf } from "../hours";
import { PricedBlock, type PricedLine } from "../priced-lines";

/** Number of lines from which another block is started: each transaction rewrites the block that it adds to. */
const FULL_LINES = 250;

/** Stores the materials of lines (../priced-lines.ts), all within transactions of its caller. */
export class PricedBlocks {
  /** Blocks that this transaction adds to, by the hour. */
  private readonly touched = new Map<number, PricedBlock>();
  /** The block that was written last, which has room. */
  private open: { id: number; hour: number; block: PricedBlock } | undefined;
  private readonly insert;
  private readonly update;

  constructor(connection: Connection) {
    this.insert = connection.prepare("INSERT INTO priced_lines (hour, lines, data) VALUES (?, ?, ?)");
    this.update = connection.prepare("UPDATE priced_lines SET lines = ?, data = ? WHERE id = ?");
  }

  add(line: PricedLine): void {
    const hour = hourOf(line.createdAt);
    let block = this.touched.get(hour);
    if (!block) {
      block = this.open?.hour === hour ? this.open.block : new PricedBlock();
      this.touched.set(hour, block);
    }
    block.add(line);
  }

  /** Writes the gathered lines; called at the end of each transaction. */
  write(): void {
    for (const [hour, block] of this.touched) {
      let id = this.open?.block === block ? this.open.id : undefined;
      if (id === undefined) id = Number(this.insert.run(hour, block.lines, block.data()).lastInsertRowid);
      else this.update.run(block.lines, block.data(), id);
      this.open = block.lines < FULL_LINES ? { id, hour, block } : undefined;
    }
    this.touched.clear();
  }

  /** Clears the state of a transaction that was rolled back, or of blocks that were deleted. */
  forget(): void {
    this.touched.clear();
    this.open = undefined;
  }
}
