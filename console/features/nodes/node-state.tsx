import type { NodeState } from "@tollgate/contract/api/nodes";
import { useTranslation } from "react-i18next";
import { StateMark, type Tone } from "../../components/badge";

const TONE: Record<NodeState, Tone> = { live: "green", leaving: "yellow", silent: "red" };

/** A node's state in words and colour. */
export const NodeStateMark = ({ state }: { state: NodeState }) => {
  const { t } = useTranslation();
  return <StateMark tone={TONE[state]}>{t(`node.state.${state}`)}</StateMark>;
};
