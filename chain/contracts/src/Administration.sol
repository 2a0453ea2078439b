// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Panels} from "./Panels.sol";
import {IAdministration} from "./interfaces/IAdministration.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// @title Powers of the owner and the guardian
abstract contract Administration is IAdministration, Panels, Ownable2Step, Pausable {
    /// @inheritdoc IAdministration
    uint16 public constant override MAX_FEE_BASIS_POINTS = 2000;

    /// @inheritdoc IAdministration
    address public immutable override guardian;

    /// @inheritdoc IAdministration
    /// @dev Shares its slot with the pause flag and the escrow's task counter, so that a post reads
    /// and writes one slot.
    uint16 public override platformFeeBasisPoints;

    constructor(
        address owner_,
        address guardian_,
        uint16 feeBasisPoints,
        address[] memory validators,
        uint8 quorum
    ) Ownable(owner_) {
        guardian = guardian_;
        _setPlatformFee(feeBasisPoints);
        _changePanel(validators, new address[](0), quorum);
    }

    modifier onlyOwnerOrGuardian() {
        if (msg.sender != guardian && msg.sender != owner()) {
            revert NotOwnerOrGuardian(msg.sender);
        }
        _;
    }

    /// @inheritdoc IAdministration
    function setPlatformFee(uint16 feeBasisPoints) external onlyOwner {
        _setPlatformFee(feeBasisPoints);
    }

    /// @inheritdoc IAdministration
    function changePanel(address[] calldata added, address[] calldata removed, uint8 quorum)
        external
        onlyOwner
    {
        _changePanel(added, removed, quorum);
    }

    /// @inheritdoc IAdministration
    function pause() external onlyOwnerOrGuardian {
        _pause();
    }

    /// @inheritdoc IAdministration
    function unpause() external onlyOwnerOrGuardian {
        _unpause();
    }

    /// @notice Always reverts, so that an account that can unpause remains.
    function renounceOwnership() public view override onlyOwner {
        revert OwnershipNotRenounceable();
    }

    function _setPlatformFee(uint16 feeBasisPoints) private {
        if (feeBasisPoints > MAX_FEE_BASIS_POINTS) {
            revert FeeTooHigh(feeBasisPoints, MAX_FEE_BASIS_POINTS);
        }
        platformFeeBasisPoints = feeBasisPoints;
        emit FeeChanged(feeBasisPoints);
    }
}
