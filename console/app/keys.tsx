/** Keys to press, one after the other or together. */
export const Keys = ({ keys }: { keys: readonly string[] }) => (
  <span className="inline-flex shrink-0 gap-1">
    {keys.map((key) => (
      <kbd
        key={key}
        className="grid h-5 min-w-5 place-items-center rounded-sm border border-line-strong bg-sunken px-1 font-sans text-xs text-ink-2"
      >
        {key.length === 1 ? key.toUpperCase() : key}
      </kbd>
    ))}
  </span>
);
