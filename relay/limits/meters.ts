import { MinuteMeter } from "./minute-meter";
import { SweepMark } from "./sweep-mark";

/** The meters of keys or of users. Idle ones are removed, because keys come and go. */
export class Meters<Id> {
  private readonly meters = new Map<Id, MinuteMeter>();
  private readonly mark = new SweepMark();

  get(id: Id): MinuteMeter | undefined {
    return this.meters.get(id);
  }

  /**
   * The meter of an id, created if missing. A request calls it once, before it enters: an idle one may be removed by
   * the next call.
   * @param nowMs milliseconds since the epoch.
   */
  of(id: Id, nowMs: number): MinuteMeter {
    const known = this.meters.get(id);
    if (known) return known;
    if (this.mark.isReached(this.meters.size)) {
      for (const [each, meter] of this.meters) if (meter.isIdle(nowMs)) this.meters.delete(each);
      this.mark.set(this.meters.size);
    }
    const meter = new MinuteMeter();
    this.meters.set(id, meter);
    return meter;
  }
}
