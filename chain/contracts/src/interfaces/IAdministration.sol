// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What the owner and the guardian may do
/// @notice The owner sets the fee and the panel of tasks to come; both pause and unpause. Neither can
/// touch a task that was accepted, a stake, or a way out.
interface IAdministration {
    /// @notice The fee is above the maximum.
    error FeeTooHigh(uint16 feeBasisPoints, uint16 maximum);
    /// @notice Only the owner or the guardian may do this.
    error NotOwnerOrGuardian(address caller);
    /// @notice Ownership can be handed over, not given up.
    error OwnershipNotRenounceable();

    /// @notice The fee of tasks posted from now on.
    event FeeChanged(uint16 feeBasisPoints);

    /// @notice Sets the fee of tasks posted from now on. Owner only.
    function setPlatformFee(uint16 feeBasisPoints) external;

    /// @notice Makes the next panel: takes the `removed` validators away, adds the `added` ones,
    /// and sets how many signatures a verdict needs. Owner only. One call, so that a majority holds
    /// before and after; with two empty lists it changes the quorum alone.
    function changePanel(address[] calldata added, address[] calldata removed, uint8 quorum)
        external;

    /// @notice Stops new posts and new applications, nothing else. Owner or guardian.
    function pause() external;

    /// @notice Allows new posts and new applications again. Owner or guardian.
    function unpause() external;

    /// @notice The account beside the owner that may pause, fixed at deployment.
    function guardian() external view returns (address);

    /// @notice The highest fee the owner can set, in basis points.
    function MAX_FEE_BASIS_POINTS() external view returns (uint16);

    /// @notice The fee in force, in basis points of the amount, taken only on release.
    function platformFeeBasisPoints() external view returns (uint16);
}
