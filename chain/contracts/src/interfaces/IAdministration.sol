// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Powers of the owner and the guardian
/// @notice The owner sets the fee and the panel of future tasks. The owner and the guardian can
/// pause and unpause. Neither can change an accepted task or a stake, or block a withdrawal.
interface IAdministration {
    /// @notice The fee is above the maximum.
    error FeeTooHigh(uint16 feeBasisPoints, uint16 maximum);
    /// @notice Only the owner or the guardian may do this.
    error NotOwnerOrGuardian(address caller);
    /// @notice Ownership can be transferred but not renounced.
    error OwnershipNotRenounceable();

    /// @notice The fee of tasks posted from now on was set.
    event FeeChanged(uint16 feeBasisPoints);

    /// @notice Sets the fee of tasks posted from now on. Owner only.
    function setPlatformFee(uint16 feeBasisPoints) external;

    /// @notice Creates the next panel: removes the validators in `removed`, adds those in `added`,
    /// and sets how many signatures a verdict needs. Owner only. It is one call, so that the quorum
    /// is a majority before and after it. With two empty lists it changes only the quorum.
    function changePanel(address[] calldata added, address[] calldata removed, uint8 quorum)
        external;

    /// @notice Pauses new posts and new applications only. Owner or guardian.
    function pause() external;

    /// @notice Allows new posts and new applications again. Owner or guardian.
    function unpause() external;

    /// @notice The account, fixed at deployment, that can pause in addition to the owner.
    function guardian() external view returns (address);

    /// @notice The highest fee the owner can set, in basis points.
    function MAX_FEE_BASIS_POINTS() external view returns (uint16);

    /// @notice The current fee in basis points of the amount, charged only on release.
    function platformFeeBasisPoints() external view returns (uint16);
}
