import {
  type FallbackCause,
  type FallbackList,
  MAX_FALLBACKS,
  USUAL_CAUSES,
} from "@tollgate/contract/management/model-fallbacks";
import { type NamedChat, permitsModel } from "../admission/resolve-model";
import type { Refusal } from "../ports/client";
import type { ApiKey } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import type { Task } from "./task";

/** No other model is begun with later than that. */
const PATIENCE_MS = 120_000;

/** Upstreams' codes and messages for a prompt that is too long for the model. */
const TOO_LONG =
  /context[_ ](?:length|window)|maximum context|prompt is too long|input token count|too many (?:input )?tokens|max(?:imum)? (?:input|prompt) length|range of input length/i;

/** And of one that they find unfit. */
const UNFIT =
  /content[_ ](?:filter|policy|management)|(?:bio|cyber|misalignment)_policy|moderation|data_inspection|inappropriate content|safety (?:system|policy)|flagged/i;

/** Refusals that always allow a fallback, whatever the upstream reports. */
const CAUSES: Partial<Record<Refusal["code"], FallbackCause>> = {
  "upstream-rate-limited": "rate-limited",
  "upstream-failed": "failed",
  "upstream-empty": "failed",
  "upstream-unusable": "failed",
  "upstream-timeout": "timeout",
  "channel-unavailable": "no-channel",
  "model-unknown": "no-channel",
  "model-price-missing": "no-channel",
  "output-price-missing": "no-channel",
  "prompt-beyond-limits": "context-length",
};

/** Maps a refusal to its fallback cause; undefined when the request, the key or the balance is at fault. */
export const fallbackCauseOf = ({ code, upstream }: Refusal): FallbackCause | undefined => {
  if (code !== "upstream-refused") return CAUSES[code];
  const said = `${upstream?.code ?? ""} ${upstream?.message ?? ""}`;
  return TOO_LONG.test(said) ? "context-length" : UNFIT.test(said) ? "content-filter" : undefined;
};

interface Owner {
  key: ApiKey;
  pinned: unknown;
  atBudget?: unknown;
}

/**
 * The fallback models of one request: the client's own list, else the administrator's. Each request uses a single list,
 * so that no list leads to another. Created when the first model has failed.
 */
export class FallbackChain {
  /** The first model's refusal, which the client receives when no fallback can answer. */
  private first: Refusal | undefined;
  private left: NamedChat[] = [];
  private causes: readonly FallbackCause[] = [];

  constructor(
    private readonly ports: Pick<RelayPorts, "fallbacks" | "now">,
    private readonly owner: Owner,
    private readonly task: Pick<Task, "model" | "useModel" | "listedModels">,
    private readonly startedAtMs: number,
  ) {}

  /** Why the request is refused, after all. */
  refusal(last: Refusal): Refusal {
    return this.first ?? last;
  }

  /** The next model after a refusal; undefined when the list has none, or none for this cause. */
  next(refusal: Refusal): NamedChat | undefined {
    if (this.first === undefined) this.begin(refusal);
    // The first model's cause selects the list; each fallback after it must fail for a valid cause as well.
    const cause = fallbackCauseOf(refusal);
    if (cause === undefined || !this.causes.includes(cause)) return undefined;
    if (this.ports.now() - this.startedAtMs > PATIENCE_MS) return undefined;
    return this.left.shift();
  }

  private begin(refusal: Refusal): void {
    const { owner, ports, task } = this;
    this.first = refusal;
    // What answers at a budget was chosen for its price: no other list leads away from it.
    const isBound = owner.pinned !== undefined || owner.atBudget !== undefined;
    const isOff = owner.key.hasNoFallbacks === true || isBound || !task.useModel;
    if (isOff) return;
    const site: FallbackList | undefined = ports.fallbacks?.of(task.model);
    const listed = task.listedModels?.(site?.models ?? []) ?? [];
    this.causes = site?.on ?? USUAL_CAUSES;
    const models = new Map<string, NamedChat>();
    // Of a model with several efforts the first counts: another effort does not mend what is wrong with the model.
    for (const each of listed)
      if (permitsModel(owner.key, each.model, each.effort?.name) && !models.has(each.model))
        models.set(each.model, each);
    models.delete(task.model);
    this.left = [...models.values()].slice(0, MAX_FALLBACKS);
  }
}
