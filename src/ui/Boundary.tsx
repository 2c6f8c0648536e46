import { Component, type ReactNode } from 'react'

type Props = {
  /** What stands there instead; `again` draws the children once more. */
  instead: (again: () => void) => ReactNode
  /** Another value draws the children once more. */
  attempt?: unknown
  children: ReactNode
}

/** A part of the page that fails to draw is replaced by something simpler, and the rest stays. React says why on the console. */
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
