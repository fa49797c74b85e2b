import type { PlanWire } from "@tollgate/contract/api/plans";
import type { ChannelCalendar } from "@tollgate/contract/management/channel-calendar";
import type { CHANNEL_LIMITS } from "@tollgate/contract/management/channel-limits";
import type { LIMITS } from "@tollgate/contract/management/limits";
import type { ModelMapping } from "@tollgate/contract/management/model-mapping";
import type { OptionKey } from "@tollgate/contract/options/options";
import type { NamedLimitsOf } from "@tollgate/contract/resource/limits";

/** A secret of a file: as it is, sealed by this installation, or from the environment. */
export type SecretSource = string | { sealed: string } | { env: string };

/**
 * A channel's overrides as a file has them: as they are written down, but a header's value may be sealed or come from the
 * environment. `***` leaves the stored value as it is.
 */
export type FileOverrides = Readonly<Record<string, unknown>>;

/** The settings of a channel that a file and the gateway have alike; a limit of 0 means no limit (docs/reference/limits.md). */
interface ChannelSettings extends NamedLimitsOf<typeof CHANNEL_LIMITS> {
  name: string;
  /** The vendor's number (docs/reference/upstreams.md). */
  type: number;
  base_url: string;
  other: string;
  models: string[];
  groups: string[];
  model_mapping: ModelMapping;
  priority: number;
  weight: number;
  /** The upstream's prices (contract/management/buying-price.ts); undefined where none are known. */
  buying_prices: unknown;
  tag: string;
  test_model: string;
  skip_tests: boolean;
  calendar: ChannelCalendar;
}

/** A channel of a file. Missing fields have their defaults; missing secrets stay as they are. */
export interface FileChannel extends ChannelSettings {
  enabled: boolean;
  proxy: SecretSource | undefined;
  overrides: FileOverrides | undefined;
  /** One key to a line. */
  key: SecretSource | undefined;
}

/** Limits of a user or a plan; 0 is no limit. */
type FileLimits = NamedLimitsOf<typeof LIMITS>;

/** A user of a file. Passwords, keys and balances are no configuration. */
export interface FileUser extends FileLimits {
  username: string;
  display_name: string;
  role: "user" | "admin" | "root";
  enabled: boolean;
  group: string;
}

/** A plan of a file (docs/guides/plans.md). Its title identifies it; missing fields have their defaults. */
export type FilePlan = Omit<PlanWire, "id" | "created_time" | "is_enabled" | keyof FileLimits> &
  FileLimits & { enabled: boolean };

/** A whole file. */
export interface Configuration {
  options: ReadonlyMap<OptionKey, unknown>;
  /** undefined where the file says nothing of channels. */
  channels: readonly FileChannel[] | undefined;
  users: readonly FileUser[] | undefined;
  plans: readonly FilePlan[] | undefined;
}

/** A channel of the gateway. */
export interface CurrentChannel extends ChannelSettings {
  id: number;
  status: number;
  /** As it is shown: without its password. */
  shownProxy: string;
  /** The JSON text of its overrides without headers' values; undefined for none. */
  shownOverrides: string | undefined;
}
