// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Numbered panels of validators
/// @notice Every change of validators or quorum creates a new panel with the next number. A task
/// stores the number of the panel at its acceptance, so later changes do not affect it.
interface IPanels {
    /// @notice The quorum must be a majority of the validators and not exceed their number.
    error InvalidQuorum(uint256 quorum, uint256 validators);
    /// @notice More validators than a panel may have.
    error TooManyValidators(uint256 validators, uint256 maximum);
    /// @notice The change neither adds nor removes a validator nor changes the quorum.
    error PanelUnchanged();
    /// @notice The account is or was a validator. A removed validator cannot be added again.
    error ValidatorKnown(address validator);
    /// @notice The account is not a current validator.
    error ValidatorUnknown(address validator);
    /// @notice The zero address cannot be a validator.
    error ValidatorZero();

    /// @notice `validator` is a member from `panel` on.
    event ValidatorAdded(address indexed validator, uint256 panel);
    /// @notice `validator` is not a member from `panel` on.
    event ValidatorRemoved(address indexed validator, uint256 panel);
    /// @notice A verdict needs `quorum` signatures from `panel` on; emitted if the number changes.
    event QuorumChanged(uint8 quorum, uint256 panel);

    /// @notice The maximum number of validators of a panel, and of signatures of a verdict.
    function MAX_VALIDATORS() external view returns (uint256);

    /// @notice The number of the current panel; the first is 1.
    function panel() external view returns (uint256);

    /// @notice The number of signatures that a verdict of this panel needs; 0 for a future panel.
    function quorumOf(uint256 panelNumber) external view returns (uint8);

    /// @notice The number of validators of this panel; 0 for a future panel.
    function validatorCountOf(uint256 panelNumber) external view returns (uint8);

    /// @notice Whether `account` is a validator of the current panel.
    function isValidator(address account) external view returns (bool);

    /// @notice Whether `account` is a validator of panel `panelNumber`. For a future panel, whether
    /// it would be one without further changes.
    function validatorIn(address account, uint256 panelNumber) external view returns (bool);
}
