// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Numbered panels of validators
/// @notice Every change of validators or quorum makes a new panel with the next number. A task
/// keeps the number of the panel in force at its acceptance, so later changes never touch it.
interface IPanels {
    /// @notice `validators` many cannot have this quorum: it must be a majority and reachable.
    error InvalidQuorum(uint256 quorum, uint256 validators);
    /// @notice More validators than a panel may have.
    error TooManyValidators(uint256 validators, uint256 maximum);
    /// @notice Nobody is added or removed and the quorum stays: there is no next panel to make.
    error PanelUnchanged();
    /// @notice The account is or was a validator; a removed one is never added again.
    error ValidatorKnown(address validator);
    /// @notice The account is no validator now.
    error ValidatorUnknown(address validator);
    /// @notice The zero address cannot be a validator.
    error ValidatorZero();

    /// @notice `validator` counts from `panel` on.
    event ValidatorAdded(address indexed validator, uint256 panel);
    /// @notice `validator` counts no longer, from `panel` on.
    event ValidatorRemoved(address indexed validator, uint256 panel);
    /// @notice From `panel` on a verdict needs `quorum` signatures; emitted when the number
    /// differs.
    event QuorumChanged(uint8 quorum, uint256 panel);

    /// @notice The most validators a panel may have, and so the most signatures of a verdict.
    function MAX_VALIDATORS() external view returns (uint256);

    /// @notice The number of the panel in force; the first is 1.
    function panel() external view returns (uint256);

    /// @notice The signatures that a verdict of this panel needs; 0 for a panel not yet made.
    function quorumOf(uint256 panelNumber) external view returns (uint8);

    /// @notice How many validators this panel has; 0 for a panel not yet made.
    function validatorCountOf(uint256 panelNumber) external view returns (uint8);

    /// @notice Whether `account` is a validator of the panel in force.
    function isValidator(address account) external view returns (bool);

    /// @notice Whether `account` is a validator of panel `panelNumber`; of one not yet made, whether
    /// it would be if nothing changed.
    function validatorIn(address account, uint256 panelNumber) external view returns (bool);
}
