import type { VendorCard } from "@tollgate/vendors/slim/vendor-card";
import { clsx } from "clsx";

const FILL: Record<VendorCard["color"], string> = {
  green: "bg-(--vendor-green)",
  olive: "bg-(--vendor-olive)",
  blue: "bg-(--vendor-blue)",
  purple: "bg-(--vendor-purple)",
  violet: "bg-(--vendor-violet)",
  orange: "bg-(--vendor-orange)",
  teal: "bg-(--vendor-teal)",
  black: "bg-(--vendor-black)",
  pink: "bg-(--vendor-pink)",
  red: "bg-(--vendor-red)",
  grey: "bg-(--vendor-grey)",
  brown: "bg-(--vendor-brown)",
};

/** A vendor's colour as a small square before its name. */
export const VendorMark = ({ color }: { color: VendorCard["color"] }) => (
  <span aria-hidden className={clsx("size-2 shrink-0 rounded-[2px]", FILL[color])} />
);
