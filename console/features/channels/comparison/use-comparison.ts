import { useQueryClient } from "@tanstack/react-query";
import { changeChannels } from "@tollgate/contract/api/channel-batches";
import { fetchModels } from "@tollgate/contract/api/channel-upstream";
import { type Channel, listChannels } from "@tollgate/contract/api/channels";
import { type ModelChanges, modelChanges } from "@tollgate/contract/management/model-changes";
import { useEffect, useRef, useState } from "react";
import { callEndpoint } from "../../../lib/call-endpoint";
import { failureText } from "../../../lib/failure-text";
import { useMutation } from "../../../lib/use-mutation";
import { forEachPaced } from "./for-each-paced";

/** What is known of a channel's upstream. */
export type Comparison =
  | { state: "waiting" | "asking" | "saving" }
  /** @param reason why it could not be queried, or changed */
  | { state: "failed"; reason: string }
  | { state: "compared"; count: number; changes: ModelChanges }
  | { state: "applied"; added: number; gone: number };

/** The sides of a comparison: models to add to a channel, and models to remove from it. */
export type Side = keyof ModelChanges;
type Picks = Readonly<Record<Side, ReadonlySet<string>>>;

const NO_PICKS: Picks = { added: new Set(), gone: new Set() };

const compare = async (channel: Channel, signal: AbortSignal): Promise<Comparison> => {
  const { models, ignored } = await callEndpoint(fetchModels, { body: { id: channel.id } }, signal);
  const changes = modelChanges(channel.models, channel.modelMapping, models, ignored);
  return { state: "compared", count: models.length, changes };
};

const apply = async (id: number, { added, gone }: Picks, signal: AbortSignal): Promise<Comparison> => {
  const change = { add_models: [...added].join(), remove_models: [...gone].join() };
  const body = { ids: [id], action: "edit" as const, change };
  const { failed } = await callEndpoint(changeChannels, { body }, signal);
  const [first] = failed;
  return first
    ? { state: "failed", reason: first.reason }
    : { state: "applied", added: added.size, gone: gone.size };
};

/** Channels' models beside those of their upstreams, and which of the differences are picked. */
export const useComparison = (channels: readonly Channel[]) => {
  const queryClient = useQueryClient();
  const [results, setResults] = useState<ReadonlyMap<number, Comparison>>(new Map());
  const [picks, setPicks] = useState<ReadonlyMap<number, Picks>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const set = (id: number, result: Comparison): void =>
    setResults((before) => new Map(before).set(id, result));

  const run = async (
    ids: readonly number[],
    busy: Comparison,
    work: (id: number, signal: AbortSignal) => Promise<Comparison>,
  ): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setRunning(true);
    await forEachPaced(ids, signal, async (id) => {
      set(id, busy);
      const result = await work(id, signal).catch(
        (error: Error): Comparison => ({ state: "failed", reason: failureText(error) }),
      );
      if (!signal.aborted) set(id, result);
    });
    // Those that were not reached are as before.
    if (signal.aborted)
      setResults((before) => new Map([...before].filter(([, { state }]) => !isUnfinished(state))));
    setRunning(false);
  };

  const query = useMutation({
    mutationFn: async (): Promise<void> => {
      const byId = new Map(channels.map((channel) => [channel.id, channel]));
      const ids = [...byId.keys()];
      setPicks(new Map());
      setResults(new Map(ids.map((id) => [id, { state: "waiting" }])));
      await run(ids, { state: "asking" }, async (id, signal) => {
        const channel = byId.get(id);
        return channel ? compare(channel, signal) : { state: "waiting" };
      });
    },
  });

  const save = useMutation({
    mutationFn: async (): Promise<void> => {
      const picked = new Map([...picks].filter(([, { added, gone }]) => added.size + gone.size > 0));
      setPicks(new Map());
      await run([...picked.keys()], { state: "saving" }, (id, signal) =>
        apply(id, picked.get(id) ?? NO_PICKS, signal),
      );
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [listChannels.reads] }),
  });

  const pick = (id: number, side: Side, models: readonly string[], isPicked: boolean): void =>
    setPicks((before) => {
      const of = before.get(id) ?? NO_PICKS;
      const chosen = new Set(of[side]);
      for (const model of models) {
        if (isPicked) chosen.add(model);
        else chosen.delete(model);
      }
      return new Map(before).set(id, { ...of, [side]: chosen });
    });

  const pickAll = (side: Side): void => {
    for (const [id, result] of results)
      if (result.state === "compared") pick(id, side, result.changes[side], true);
  };

  return {
    resultOf: (id: number): Comparison | undefined => results.get(id),
    results,
    picksOf: (id: number): Picks => picks.get(id) ?? NO_PICKS,
    picks,
    pick,
    pickAll,
    start: () => query.mutate(),
    apply: () => save.mutate(),
    stop: () => running.current?.abort(),
    isRunning,
  };
};

const isUnfinished = (state: Comparison["state"]): boolean =>
  state === "waiting" || state === "asking" || state === "saving";

export type ChannelComparison = ReturnType<typeof useComparison>;
