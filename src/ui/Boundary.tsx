import { Component, type ReactNode } from 'react'

type Props = {
  /** The fallback; `again` renders the children once more. */
  instead: (again: () => void) => ReactNode
  /** A new value renders the children once more. */
  attempt?: unknown
  children: ReactNode
}

/** Error boundary: shows a fallback for a part that fails to render. React reports the cause on the console. */
export class Boundary extends Component<Props, { failed: boolean; attempt: unknown }> {
  override state = { failed: false, attempt: this.props.attempt }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  static getDerivedStateFromProps({ attempt }: Props, state: { attempt: unknown }) {
    return attempt === state.attempt ? null : { failed: false, attempt }
  }

  override render() {
    return this.state.failed ? this.props.instead(() => this.setState({ failed: false })) : this.props.children
  }
}
