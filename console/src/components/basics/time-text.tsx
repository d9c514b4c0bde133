import { formatMoment, formatRelative } from '../../state/time-format.ts';

/** A moment in the reader's own zone: how long ago in sight, the exact time on hover. */
export function TimeText(props: { readonly at: string }) {
  return (
    <time dateTime={props.at} title={formatMoment(props.at)}>
      {formatRelative(props.at, new Date())}
    </time>
  );
}
