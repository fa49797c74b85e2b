import { FramedSite } from "./framed-site";
import { RichText } from "./rich-text";

/** A page's content set by an administrator: an https address is shown in a frame, anything else as text. */
export const SiteContent = ({ source, title }: { source: string; title: string }) =>
  /^https:\/\/\S+$/.test(source.trim()) ? (
    <FramedSite url={source.trim()} title={title} className="h-[calc(100dvh-250px)]" />
  ) : (
    <div className="rounded-lg border border-line bg-surface p-5 wide:p-8">
      <RichText source={source} />
    </div>
  );
