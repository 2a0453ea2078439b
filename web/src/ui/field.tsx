import { Field as BaseField } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '@/lib/class-names'

/** The class names for all text inputs. */
export const inputClass = classNames(
  'w-full rounded-xl border border-line-strong bg-surface px-3.5 text-ink placeholder:text-ink-soft/80',
  'transition-colors hover:border-ink-soft focus-visible:border-accent',
  'data-invalid:border-bad aria-invalid:border-bad',
)

interface FieldProps {
  label: ReactNode
  /** A hint that is shown below the label. */
  hint?: ReactNode | undefined
  /** The error message for the current value. */
  error?: string | undefined
  children: ReactNode
}

/** A label, its control and its error message, associated for screen readers. */
export function Field({ label, hint, error, children }: FieldProps) {
  return (
    <BaseField.Root data-field invalid={error !== undefined} className="grid scroll-my-6 gap-1.5">
      <BaseField.Label className="text-[0.9375rem] font-medium">{label}</BaseField.Label>
      {hint && (
        <BaseField.Description className="text-sm text-ink-soft">{hint}</BaseField.Description>
      )}
      {children}
      <BaseField.Error match={error !== undefined} className="text-sm font-medium text-bad">
        {error}
      </BaseField.Error>
    </BaseField.Root>
  )
}

type TextProps = Omit<FieldProps, 'children'> & ComponentProps<typeof BaseField.Control>

export function TextField({ label, hint, error, className, ...control }: TextProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <BaseField.Control
        {...control}
        className={classNames(inputClass, 'h-11', className as string)}
      />
    </Field>
  )
}

type AreaProps = Omit<FieldProps, 'children'> & ComponentProps<'textarea'>

export function TextArea({ label, hint, error, className, ...control }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <BaseField.Control
        render={<textarea {...control} />}
        className={classNames(inputClass, 'min-h-32 py-2.5 leading-relaxed', className)}
      />
    </Field>
  )
}
