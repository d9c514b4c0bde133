const looks = {
  good: 'border-transparent bg-success-soft text-success',
  accent: 'border-transparent bg-accent-soft text-accent-text',
  failure: 'border-transparent bg-failure-soft text-failure',
  warning: 'border-transparent bg-warning-soft text-warning',
  neutral: 'border-line text-muted',
} as const;

export function StatusPill(props: { readonly text: string; readonly tone: keyof typeof looks }) {
  return (
    <span
      class={`inline-flex shrink-0 items-center rounded-full border px-2 text-xs leading-5 font-medium ${looks[props.tone]}`}
    >
      {props.text}
    </span>
  );
}
