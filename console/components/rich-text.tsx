import { useQuery } from "@tanstack/react-query";

/** Markdown or HTML by an administrator, sanitised. The sanitiser and its styles are loaded only when needed. */
export const RichText = ({ source, className }: { source: string; className?: string }) => {
  const { data } = useQuery({
    queryKey: ["rich-text", source],
    queryFn: async () => {
      const [{ toSafeHtml }] = await Promise.all([import("../lib/sanitise"), import("./rich-text.css")]);
      return toSafeHtml(source);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined) return null;
  return (
    <div
      className={className ?? "prose"}
      ref={(element) => {
        if (element) element.innerHTML = data;
      }}
    />
  );
};
