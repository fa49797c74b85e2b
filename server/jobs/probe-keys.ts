import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import type { ProbeResult } from "@tollgate/relay/probe";

/** After a failed probe the next one waits twice as long, up to this many times the first interval. */
const LONGEST_WAIT = 32;

export interface KeyProbeSettings {
  /** Keys that the gateway itself disabled. */
  keysOutOfUse(): readonly UpstreamTarget[];
  probe(entry: UpstreamTarget): Promise<ProbeResult>;
  /** The longest time that a passing probe may take, in milliseconds; 0 for any. */
  longestMs(): number;
  revive(entry: UpstreamTarget): void;
  /** Whether probing is enabled (option AutomaticEnableChannelEnabled). */
  isOn(): boolean;
  /** Interval between rounds, and delay before a key's first probe. */
  intervalMs: number;
}

/** Regularly probes automatically disabled keys, and enables those that work again. */
export class KeyProbes {
  private readonly waits = new Map<string, { rounds: number; left: number }>();
  private readonly timer: NodeJS.Timeout;
  private isRunning = false;

  constructor(private readonly settings: KeyProbeSettings) {
    this.timer = setInterval(() => void this.runRound(), settings.intervalMs);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** One round over all disabled keys. */
  async runRound(): Promise<void> {
    const { settings } = this;
    if (this.isRunning || !settings.isOn()) return;
    this.isRunning = true;
    try {
      const keys = settings.keysOutOfUse();
      const ids = new Set(keys.map(({ id }) => id));
      for (const id of this.waits.keys()) if (!ids.has(id)) this.waits.delete(id);
      for (const entry of keys) if (this.isDue(entry.id)) await this.probeOne(entry);
    } finally {
      this.isRunning = false;
    }
  }

  private isDue(id: string): boolean {
    const wait = this.waits.get(id);
    if (wait === undefined) {
      this.waits.set(id, { rounds: 1, left: 1 });
      return true;
    }
    wait.left -= 1;
    return wait.left <= 0;
  }

  private async probeOne(entry: UpstreamTarget): Promise<void> {
    const { isOk, timeMs } = await this.settings.probe(entry);
    const longestMs = this.settings.longestMs();
    if (isOk && (longestMs === 0 || timeMs <= longestMs)) {
      this.waits.delete(entry.id);
      this.settings.revive(entry);
      return;
    }
    const rounds = this.waits.get(entry.id)?.rounds ?? 1;
    this.waits.set(entry.id, { rounds: Math.min(rounds * 2, LONGEST_WAIT), left: rounds });
  }
}
