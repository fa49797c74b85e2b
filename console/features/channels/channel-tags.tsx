import type { ChannelTag } from "@tollgate/contract/api/channels";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";

interface ChannelTagsProps {
  tags: readonly ChannelTag[];
  /** The tag of the shown channels. */
  current: string | undefined;
  onChoose: (tag: string | undefined) => void;
}

/** All tags of channels, each a filter of the list. */
const ChannelTags = ({ tags, current, onChoose }: ChannelTagsProps) => {
  const { t } = useTranslation();
  return (
    <fieldset className="-mt-1 flex flex-wrap items-center gap-1.5">
      <legend className="float-left me-1 text-sm text-ink-3">{t("channel.tags")}</legend>
      {tags.map(({ tag, count, enabled }) => (
        <button
          key={tag}
          type="button"
          aria-pressed={tag === current}
          title={t("channel.tagCount", { count, enabled })}
          onClick={() => onChoose(tag === current ? undefined : tag)}
          className={clsx(
            "inline-flex h-7 max-w-full items-center gap-1.5 rounded-full border px-2.5 text-sm transition-colors",
            tag === current
              ? "border-accent bg-accent-soft font-medium text-accent"
              : "border-line bg-surface text-ink-2 hover:border-line-strong hover:text-ink",
          )}
        >
          <span className="truncate">{tag}</span>
          <span className="text-ink-3 tabular-nums">{count}</span>
        </button>
      ))}
    </fieldset>
  );
};

export default ChannelTags;
