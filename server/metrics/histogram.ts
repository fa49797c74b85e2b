import { writeSample } from "./exposition";

/** Counts values by bound: those not above it. A fixed array, written once for each request. */
export class Histogram {
  /** Number of values between the previous bound and this one; the last entry counts those above all bounds. */
  private readonly counts: Float64Array;
  private sum = 0;

  /** @param bounds growing. */
  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket += 1;
    (counts[bucket] as number) += 1;
    this.sum += value;
  }

  /** @param labels as `writeLabels` gives them. */
  write(name: string, labels: string): string {
    const before = labels === "" ? "" : `${labels},`;
    let text = "";
    let total = 0;
    for (const [index, bound] of this.bounds.entries()) {
      total += this.counts[index] as number;
      text += writeSample(`${name}_bucket`, `${before}le="${bound}"`, total);
    }
    total += this.counts[this.bounds.length] as number;
    text += writeSample(`${name}_bucket`, `${before}le="+Inf"`, total);
    text += writeSample(`${name}_sum`, labels, this.sum);
    return text + writeSample(`${name}_count`, labels, total);
  }
}
