import { VENDOR_CARDS } from "./cards";
import type { VendorCard } from "./vendor-card";

const byType = new Map(VENDOR_CARDS.map((card) => [card.type, card]));

/** The card of a channel type; undefined for a number that no vendor has. */
export const findCard = (type: number): VendorCard | undefined => byType.get(type);
